import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../testing/fixtures/test-database.ts'
import { type LoggedEvent, SEQ_SKIP } from './events.ts'
import { loadMigrations, type NumberedMigration } from './migrate.ts'
import { DatabaseError, openForReading, openForWriting } from './open.ts'
import { DatabaseReader } from './read.ts'
import {
  type CommandEnvelope,
  createWriterClient,
  type WriterClient,
  type WriterClientOptions,
} from './writer-client.ts'
import { createInProcessWriter } from './writer-transport.ts'

const NOW = 1_700_000_000_000

let folder: ReturnType<typeof createTemporaryFolder>
let file: string
let migrations: NumberedMigration[]
let reported: { events: LoggedEvent[]; bugs: string[]; losses: string[] }
let clients: WriterClient[]
/** LiteFS as the writer meets it: how far it is, and the statement that fails while the lease is away. */
let liteFs: { txid: () => string; failsAt: RegExp | null }

beforeEach(async () => {
  folder = createTemporaryFolder()
  file = join(folder.path, 'meydan.db')
  migrations = await loadMigrations()
  reported = { events: [], bugs: [], losses: [] }
  clients = []
  liteFs = { txid: () => '00000000000000aa', failsAt: null }
})
afterEach(async () => {
  for (const door of clients) await door.close()
  folder.remove()
})

function optionsOf(more: Partial<WriterClientOptions>): WriterClientOptions {
  return {
    file,
    maxQueueLength: 1000,
    isOnLiteFs: true,
    onEvents: (events) => void reported.events.push(...events),
    onBatch: () => {},
    onError: (command, stack) => void reported.bugs.push(`${command}: ${stack}`),
    onLeaseLost: (cause) => void reported.losses.push(cause),
    ...more,
  }
}

/** A connection whose statements fail as on a region that is not the primary any more (decision 0008). */
function openFailing(): Sqlite.Database {
  const db = openForWriting(file)
  const prepare = db.prepare.bind(db)
  const refuse = () => {
    throw new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE')
  }
  const failing = (sql: string) => {
    const statement = prepare(sql)
    const run = (...args: unknown[]) => (liteFs.failsAt?.test(sql) ? refuse() : statement.run(...args))
    return { run, get: statement.get.bind(statement), all: statement.all.bind(statement) }
  }
  Object.assign(db, { prepare: failing }) // the writer uses no more of a statement than these three
  return db
}

/** A door whose writer is in this thread. */
function openInProcessClient(more: Partial<WriterClientOptions> = {}): WriterClient {
  const options = optionsOf(more)
  const source = createInProcessWriter({
    isOnLiteFs: options.isOnLiteFs,
    migrations,
    openDatabase: openFailing,
    readTxid: () => (options.isOnLiteFs ? liteFs.txid() : ''),
    clock: () => NOW,
    randomInt: (below) => Math.floor(below / 2),
  })
  const door = createWriterClient(options, source)
  clients.push(door)
  return door
}

function openThreadClient(more: Partial<WriterClientOptions> = {}): WriterClient {
  const door = createWriterClient(optionsOf(more))
  clients.push(door)
  return door
}

const openSessionCommand = (username: string, clientId: string | null = `region:${randomUUID()}`): CommandEnvelope => ({
  command: 'openGuestSession',
  actor: null,
  input: { username, gender: null, browserId: null, platform: 'web' },
  clientId,
  actorContext: { inRoomForMs: null },
})
const endSessionCommand = (actor: CommandEnvelope['actor'], clientId = randomUUID()): CommandEnvelope => ({
  ...openSessionCommand(''),
  command: 'endSession',
  actor,
  input: {},
  clientId,
})
const openOptions = { clockOffsetMs: 0 }
/** Where a reign begins on an empty log: 1,024 numbers a millisecond, and half of 2^20 by the random numbers of doorHere. */
const FIRST_TERM_SEQ = NOW * 1_024 + 2 ** 19

/** Looks into the file as another connection of the process does. */
function readDatabase<T>(see: (db: Sqlite.Database) => T): T {
  const db = openForReading(file)
  try {
    return see(db)
  } finally {
    db.close()
  }
}
const usernames = () => readDatabase((db) => db.prepare('select username from user order by id').pluck().all())

async function openSession(door: WriterClient, username: string): Promise<{ userId: number; sessionId: number }> {
  const carried = await door.submit(openSessionCommand(username))
  if (carried === 'lost' || !('answer' in carried)) throw new Error(`${username} could not enter`)
  return carried.answer as { userId: number; sessionId: number } // what openGuestSession answers
}

describe('a reign', () => {
  it('[REG-07] begins with a leap to what the clock says and more, each time by 2^20 at least', async () => {
    const door = openInProcessClient()
    const first = await door.openDatabase(openOptions)
    expect(first).toEqual({ txid: '00000000000000aa', seq: FIRST_TERM_SEQ })
    const claims = await openSession(door, 'ada')
    expect(await door.submit(endSessionCommand(claims))).toMatchObject({ position: { seq: FIRST_TERM_SEQ + 1 } })
    await door.closeDatabase()
    const again = FIRST_TERM_SEQ + 1 + SEQ_SKIP + 2 ** 19
    expect(await door.openDatabase(openOptions)).toMatchObject({ seq: again })
    expect(reported.events.map(({ seq }) => seq)).toEqual([FIRST_TERM_SEQ + 1])
  })

  it('[REG-07] migrates; until then nobody does', async () => {
    const door = openInProcessClient()
    expect(await door.submit(openSessionCommand('ada'))).toBe('lost')
    expect(() => readDatabase(() => {})).toThrow('unable to open')
    await door.openDatabase(openOptions)
    expect(readDatabase((db) => db.prepare('select count(*) from migration').pluck().get())).toBe(migrations.length)
  })

  it('leaps nowhere on a plain file, whose positions have no transaction', async () => {
    const door = openInProcessClient({ isOnLiteFs: false })
    expect(await door.openDatabase(openOptions)).toEqual({ txid: '', seq: 0 })
    const claims = await openSession(door, 'ada')
    expect(await door.submit(endSessionCommand(claims))).toEqual({
      answer: { ended: true },
      position: { txid: '', seq: 1 },
    })
    expect(await door.closeDatabase()).toEqual({ txid: '', seq: 1 })
  })

  it('[REG-18] goes by the clock that the region has learnt', async () => {
    const door = openInProcessClient()
    await door.openDatabase({ clockOffsetMs: 3_600_000 })
    await openSession(door, 'ada')
    expect(readDatabase((db) => db.prepare('select createdAt from user').pluck().get())).toBe(NOW + 3_600_000)
  })

  it('says what is wrong with a file that cannot be used, and may be tried again', async () => {
    writeFileSync(file, 'no database at all, but long enough to look like one'.repeat(100))
    const door = openInProcessClient({ isOnLiteFs: false })
    await expect(door.openDatabase(openOptions)).rejects.toThrow(DatabaseError)
    rmSync(file)
    expect(await door.openDatabase(openOptions)).toEqual({ txid: '', seq: 0 })
  })

  it.each(['leap', 'position'])('[REG-08] is lost when the lease goes before its %s is there', async (at) => {
    const door = openInProcessClient()
    if (at === 'leap') liteFs.failsAt = /^commit$/
    const txid = liteFs.txid
    if (at === 'position') liteFs.txid = failToRead
    expect(await door.openDatabase(openOptions)).toBe('lost')
    expect(reported.losses).toHaveLength(1)
    expect(await door.submit(openSessionCommand('ada'))).toBe('lost')
    liteFs = { txid, failsAt: null }
    expect(await door.openDatabase(openOptions)).toMatchObject({ txid: txid() })
  })
})

function failToRead(): string {
  throw Object.assign(new Error('transport endpoint is not connected'), { code: 'ENOTCONN' })
}

describe('a batch that cannot be committed because the lease has gone', () => {
  it.each([
    ['at its beginning', /^begin immediate$/],
    ['in the middle', /^insert into "session"/],
    ['at its end', /^commit$/],
  ])('[REG-08] is answered to nobody when it fails %s, and happens once when it is sent again', async (_, failsAt) => {
    const door = openInProcessClient()
    await door.openDatabase(openOptions)
    const ada = await openSession(door, 'ada')
    const orders = [endSessionCommand(ada), openSessionCommand('can'), openSessionCommand('deniz')]
    liteFs.failsAt = failsAt
    expect(await Promise.all(orders.map((order) => door.submit(order)))).toEqual(['lost', 'lost', 'lost'])
    expect(reported.events).toEqual([])
    expect(door.pendingCount()).toBe(0)

    liteFs.failsAt = null
    expect(await door.submit(openSessionCommand('early'))).toBe('lost')
    await door.openDatabase(openOptions)
    const again = await Promise.all(orders.map((order) => door.submit(order)))
    expect(again).toMatchObject([{ answer: { ended: true } }, { answer: {} }, { answer: {} }])
    expect(usernames()).toEqual(['ada', 'can', 'deniz'])
    expect(reported.events.map(({ name }) => name)).toEqual(['forceDisconnect'])
    expect(reported.bugs).toEqual([])
  })

  it('[REG-08] [REG-09] may have happened all the same: sent again, it gets the answer of the first time', async () => {
    const door = openInProcessClient()
    await door.openDatabase(openOptions)
    const ada = await openSession(door, 'ada')
    const orders = [openSessionCommand('can'), endSessionCommand(ada)]
    const txid = liteFs.txid
    liteFs.txid = failToRead
    expect(await Promise.all(orders.map((order) => door.submit(order)))).toEqual(['lost', 'lost'])
    expect(usernames()).toEqual(['ada', 'can'])

    liteFs.txid = txid
    await door.openDatabase(openOptions)
    const again = await Promise.all(orders.map((order) => door.submit(order)))
    expect(again).toMatchObject([{ answer: { userId: 2 } }, { answer: { ended: true } }])
    expect(usernames()).toEqual(['ada', 'can'])
  })

  it('[REG-08] takes along what waited behind it, in the same moment or not', async () => {
    const onLost = () => {
      liteFs.failsAt = null
    }
    const door = openInProcessClient({ onLeaseLost: onLost })
    await door.openDatabase(openOptions)
    liteFs.failsAt = /^commit$/
    const many = Array.from({ length: 600 }, (_, index) => door.submit(openSessionCommand(`guest${index}`)))
    const shut = door.closeDatabase()
    expect(new Set(await Promise.all(many))).toEqual(new Set(['lost']))
    expect(await shut).toMatchObject({ seq: FIRST_TERM_SEQ })
    expect(usernames()).toEqual([])
  })

  it('is refused as Busy on a plain file, where a disk that cannot be written is just that', async () => {
    const door = openInProcessClient({ isOnLiteFs: false })
    await door.openDatabase(openOptions)
    liteFs.failsAt = /^commit$/
    expect(await door.submit(openSessionCommand('ada'))).toMatchObject({ refusal: { code: 'Busy' } })
    expect(reported.bugs).toEqual([expect.stringContaining('disk I/O error')])
    liteFs.failsAt = null
    expect(await door.submit(openSessionCommand('ada'))).toMatchObject({ answer: {} })
  })
})

describe('the write door', () => {
  it('[REG-09] keeps the answer to whoever has no session under the id that the region made', async () => {
    const door = openInProcessClient()
    await door.openDatabase(openOptions)
    const order = openSessionCommand('ada')
    const first = await door.submit(order)
    expect(await door.submit(order)).toEqual(first)
    expect(usernames()).toEqual(['ada'])
    expect(await door.submit(openSessionCommand('can', order.clientId))).toMatchObject({
      refusal: { code: 'ClientIdReused' },
    })
  })

  it('answers, on whatever place in the history, only after its events were told', async () => {
    const order: string[] = []
    const door = openInProcessClient({
      onEvents: (events, { txid }) => void order.push(`${events.length} events at ${txid}`),
    })
    await door.openDatabase(openOptions)
    const ada = await openSession(door, 'ada')
    liteFs.txid = () => '00000000000000ab'
    await door.submit(endSessionCommand(ada)).then(() => order.push('answer'))
    expect(order).toEqual(['0 events at 00000000000000aa', '1 events at 00000000000000ab', 'answer'])
  })

  it('settles what it took when it is shut, and takes nothing more', async () => {
    const door = openInProcessClient()
    await door.openDatabase(openOptions)
    const taken = ['ada', 'can'].map((name) => door.submit(openSessionCommand(name)))
    const shut = door.closeDatabase()
    expect(await door.submit(openSessionCommand('deniz'))).toBe('lost')
    await shut
    expect(await Promise.all(taken)).toMatchObject([{ answer: {} }, { answer: {} }])
    expect(usernames()).toEqual(['ada', 'can'])
  })

  it('refuses as Busy what does not fit into its queue', async () => {
    const door = openInProcessClient({ maxQueueLength: 2 })
    await door.openDatabase(openOptions)
    const carried = ['ada', 'can', 'deniz'].map((name) => door.submit(openSessionCommand(name)))
    expect(door.pendingCount()).toBe(2)
    expect(await Promise.all(carried)).toMatchObject([{ answer: {} }, { answer: {} }, { refusal: { code: 'Busy' } }])
    expect(door.pendingCount()).toBe(0)
  })
})

/** A thread loads the whole writer, on a machine that may be busy with other things. */
const SLOW = { timeout: 60_000 }

describe('the writer in its thread', SLOW, () => {
  it('opens and shuts the file as often as the lease comes and goes', async () => {
    const door = openThreadClient({ isOnLiteFs: false })
    for (const name of ['ada', 'can', 'deniz']) {
      expect(await door.openDatabase(openOptions)).toMatchObject({ txid: '' })
      await openSession(door, name)
      await door.closeDatabase()
      expect(await door.submit(openSessionCommand('nobody'))).toBe('lost')
    }
    expect(usernames()).toEqual(['ada', 'can', 'deniz'])
  })

  it('stays shut when it is shut again before it was open', async () => {
    const door = openThreadClient({ isOnLiteFs: false })
    const opened = door.openDatabase(openOptions)
    await door.closeDatabase()
    expect(await opened).toEqual({ txid: '', seq: 0 })
    expect(await door.submit(openSessionCommand('ada'))).toBe('lost')
  })

  it('[REG-07] leaps by other numbers in each history, and reads from LiteFS how far it is', async () => {
    writeFileSync(`${file}-pos`, '00000000000000ab/bec4db88e5a2cb37\n')
    const door = openThreadClient()
    const first = await door.openDatabase(openOptions)
    await door.closeDatabase()
    const second = await door.openDatabase(openOptions)
    if (first === 'lost' || second === 'lost') throw new Error('nobody took the lease away')
    expect(first.txid).toBe('00000000000000ab')
    expect(first.seq).toBeGreaterThan(SEQ_SKIP)
    expect(second.seq - first.seq).toBeGreaterThan(SEQ_SKIP)
    expect(second.seq - first.seq).not.toBe(first.seq)
    rmSync(`${file}-pos`)
    expect(await door.submit(openSessionCommand('ada'))).toBe('lost')
    expect(reported.losses).toEqual([expect.stringContaining('ENOENT')])
  })

  it('says what is wrong with a file that cannot be used', async () => {
    writeFileSync(file, 'no database at all, but long enough to look like one'.repeat(100))
    await expect(openThreadClient({ isOnLiteFs: false }).openDatabase(openOptions)).rejects.toThrow('is damaged')
  })

  it('carries out more than a batch in the order in which it came', async () => {
    const door = openThreadClient({ isOnLiteFs: false })
    await door.openDatabase(openOptions)
    const names = Array.from({ length: 700 }, (_, index) => `guest${index}`)
    await Promise.all(names.map((name) => door.submit(openSessionCommand(name))))
    expect(usernames()).toEqual(names)
    expect(readDatabase((db) => new DatabaseReader(db).cursor())).toBe(0)
  })
})
