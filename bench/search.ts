import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { SEARCH_PAGE_SIZE, searchMessages } from '../src/server/features/message-search/search-messages.ts'
import { loadMigrations, migrate } from '../src/server/kernel/database/migrate.ts'
import { openForReading, openForWriting } from '../src/server/kernel/database/open.ts'
import { DatabaseReader } from '../src/server/kernel/database/read.ts'
import { NO_BLOCKS } from '../src/server/kernel/live/visibility.ts'
import { scopeTerm, shardOf } from '../src/server/model/conversations/search-index.ts'
import { extractWords } from '../src/shared/text/search-words.ts'
import { compareFigure, type Report, standaloneFigure } from './measure/report.ts'
import { interleave, type Samples } from './measure/statistics.ts'

const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 1_000_000)
const ROUNDS = 5
const ROOMS = 10
/** Words in the vocabulary; the nth word occurs about 1/n as often as the first (Zipf). */
const VOCABULARY_SIZE = 30_000
const WORDS_PER_MESSAGE = 9
/** Searches of one kind in a round; their mean is the sample. */
const SEARCHES_PER_ROUND = 10

type Search = (text: string) => number

/** CPU time to find the newest 20 messages of one room, against LIKE over the same rows. */
export async function measure(): Promise<Report> {
  const folder = resolve('.cache/bench', randomUUID())
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'search.db')
  try {
    const built = await buildDatabase(file)
    const db = openForReading(file)
    const queries = createQueries(built.words)
    const ours = await compareKinds(queries, createIndexSearch(db), createLikeSearch(db))
    db.close()
    return {
      figures: [...ours, standaloneFigure('put into the index', 'messages per CPU second', [built.perSecond])],
      notes: notes(),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function compareKinds(queries: Record<string, string>, ours: Search, like: Search) {
  const figures = []
  for (const [kind, text] of Object.entries(queries)) {
    const found = ours(text)
    const rounds = await interleave(ROUNDS, {
      ours: () => measureCpuMs(ours, text),
      like: () => measureCpuMs(like, text),
    })
    figures.push(compareFigure(`${kind}, ${found} found`, 'CPU ms', rounds.ours as Samples, rounds.like as Samples))
  }
  return figures
}

async function measureCpuMs(search: Search, text: string): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < SEARCHES_PER_ROUND; i++) search(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / SEARCHES_PER_ROUND
}

function createIndexSearch(db: Sqlite.Database): Search {
  const reader = new DatabaseReader(db)
  const viewer = { userId: 1, sessionId: 1, role: 'member' as const, blockedIds: NO_BLOCKS }
  return (text) => searchMessages(reader, { viewer, roomId: 1, text }).messages.length
}

/** A search without an index: every word anywhere in the text, newest rows first. */
function createLikeSearch(db: Sqlite.Database): Search {
  return (text) => {
    const words = text.split(' ')
    const conditions = words.map(() => 'content like ?').join(' and ')
    const search = db.prepare(
      `select message.*, user.username from message join user on user.id = senderId
       where roomId = 1 and ${conditions} order by message.id desc limit ${SEARCH_PAGE_SIZE + 1}`,
    )
    return search.all(...words.map((word) => `%${word}%`)).length
  }
}

function createQueries(words: string[]): Record<string, string> {
  const wordAt = (rank: number) => words[Math.min(rank, words.length - 1)] ?? ''
  return {
    'a frequent word': wordAt(0),
    'a rare word': wordAt(VOCABULARY_SIZE / 2),
    'the beginning of many words': wordAt(5).slice(0, 2),
    'two words that seldom meet': `${wordAt(40)} ${wordAt(900)}`,
    'a word that nobody said': 'yokböylebirşey',
  }
}

/** Fills the tables in one transaction and times only the index inserts. */
async function buildDatabase(file: string): Promise<{ words: string[]; perSecond: number }> {
  const db = openForWriting(file)
  db.pragma('synchronous = OFF')
  migrate(db, await loadMigrations(), Date.now())
  db.exec(`insert into user (id, username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt)
    values (1, 'gezgin', 'gezgin', 1, 'guest', 'web', 0, 0)`)
  const insertRoom =
    db.prepare(`insert into room (id, name, foldedName, capacity, isList, isActive, createdAt, updatedAt)
    values (?, ?, ?, 100, 1, 1, 0, 0)`)
  for (let id = 1; id <= ROOMS; id++) insertRoom.run(id, `Oda ${id}`, `oda ${id}`)
  const words = createVocabulary()
  const createText = createTextGenerator(words)
  const insert = db.prepare(
    'insert into message (id, roomId, senderId, content, consecutiveCount, clientId, createdAt) values (?, ?, 1, ?, 1, ?, ?)',
  )
  const index = db.prepare('insert into messageWord (rowid, words) values (?, ?)')
  let indexMicroseconds = 0
  db.transaction(() => {
    for (let id = 1; id <= MESSAGES; id++) {
      const roomId = 1 + (id % ROOMS)
      const content = createText()
      insert.run(id, roomId, content, `${id}`, id)
      const before = process.cpuUsage()
      const terms = extractWords(content).map((word) => scopeTerm(roomId, shardOf(id), word))
      index.run(BigInt(id), terms.join(' '))
      const { user, system } = process.cpuUsage(before)
      indexMicroseconds += user + system
    }
  })()
  db.close()
  return { words, perSecond: (MESSAGES * 1e6) / indexMicroseconds }
}

/** Generates words from Turkish syllables, the same in every run. */
function createVocabulary(): string[] {
  const random = createSeededRandom(1)
  const syllables = [...'bcçdfgğhjklmnprsştvyz'].flatMap((first) => [...'aeıioöuü'].map((second) => first + second))
  const word = () => Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(syllables, random())).join('')
  const words = new Set<string>()
  while (words.size < VOCABULARY_SIZE) words.add(word())
  return [...words]
}

function createTextGenerator(words: string[]): () => string {
  const random = createSeededRandom(2)
  // The size to a uniform random power has a Zipf distribution.
  const word = () => words[Math.floor(words.length ** random()) - 1] ?? ''
  return () => Array.from({ length: 1 + Math.floor(random() * 2 * WORDS_PER_MESSAGE) }, word).join(' ')
}

function pick<T>(from: readonly T[], random: number): T {
  const item = from[Math.floor(random * from.length)]
  if (item === undefined) throw new RangeError('nothing to pick from')
  return item
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32, Tommy Ettinger, public domain). */
function createSeededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function notes(): string[] {
  const count = MESSAGES.toLocaleString('en')
  return [
    `${count} messages in ${ROOMS} rooms, one of which is searched; CPU milliseconds per search, less is better. Ours matches the last word as a prefix; LIKE matches every word anywhere, ignoring ASCII case.`,
  ]
}
