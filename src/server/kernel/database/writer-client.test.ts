import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writerModule } from '../../region.ts'
import { createInProcessWriter } from '../../testing/fixtures/in-process-writer.ts'
import { createTemporaryFolder } from '../../testing/fixtures/test-database.ts'
import type { CommandEnvelope } from './commands/command-envelope.ts'
import type { LoggedEvent } from './events/logged-event.ts'
import { SEQ_SKIP } from './events/skip-sequence.ts'
import { loadMigrations, type NumberedMigration } from './migrate.ts'
import { DatabaseError, openForReading, openForWriting } from './open.ts'
import { DatabaseReader } from './read.ts'
import { spawnWriter, WriterClient, type WriterClientOptions } from './writer-client.ts'

const NOW = 1_700_000_000_000

let folder: ReturnType<typeof createTemporaryFolder>
let file: string
let migrations: NumberedMigration[]
let reported: { events: LoggedEvent[]; bugs: string[]; losses: string[] }
let clients: WriterClient[]
/** What the writer sees of LiteFS: its position, and the statement that fails while the lease is lost. */
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
  for (const client of clients) await client.close()
  folder.remove()
})

function optionsOf(more: Partial<WriterClientOptions>): WriterClientOptions {
  return {
    file,
    maxQueueLength: 1000,
    isOnLiteFs: true,
    onBatch: () => {},
    onError: (command, stack) => void reported.bugs.push(`${command}: ${stack}`),
    onLeaseLost: (cause) => void reported.losses.push(cause),
    ...more,
  }
}

/** A database connection whose statements fail as on a former primary (decision 0008). */
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

/** A client whose writer runs in this thread. */
function openInProcessClient(more: Partial<WriterClientOptions> = {}): WriterClient {
  const options = optionsOf(more)
  const transport = createInProcessWriter({
    isOnLiteFs: options.isOnLiteFs,
    migrations,
    openDatabase: openFailing,
    readTxid: () => (options.isOnLiteFs ? liteFs.txid() : ''),
    clock: () => NOW,
    randomInt: (below) => Math.floor(below / 2),
  })
  const client = new WriterClient(options, transport)
  client.onCommit((events) => void reported.events.push(...events))
  clients.push(client)
  return client
}

function openThreadClient(more: Partial<WriterClientOptions> = {}): WriterClient {
  const options = optionsOf(more)
  const client = new WriterClient(options, spawnWriter(writerModule, options))
  client.onCommit((events) => void reported.events.push(...events))
  clients.push(client)
  return client
}

const openSessionCommand = (username: string, clientId: string | null = `region:${randomUUID()}`): CommandEnvelope => ({
  command: 'openGuestSession',
  actor: null,
  input: { username, gender: null, platform: 'web' },
  clientId,
})
const endSessionCommand = (actor: CommandEnvelope['actor'], clientId = randomUUID()): CommandEnvelope => ({
  ...openSessionCommand(''),
  command: 'endSession',
  actor,
  input: {},
  clientId,
})
const openOptions = { clockOffsetMs: 0 }
/** Where a term begins on an empty log: 1,024 numbers a millisecond, and half of 2^20 as the random skip. */
const FIRST_TERM_SEQ = NOW * 1_024 + 2 ** 19

/** Reads the file on another connection of the process. */
function readDatabase<T>(read: (db: Sqlite.Database) => T): T {
  const db = openForReading(file)
  try {
    return read(db)
  } finally {
    db.close()
  }
}
const usernames = () => readDatabase((db) => db.prepare('select username from user order by id').pluck().all())

async function openSession(client: WriterClient, username: string): Promise<{ userId: number; sessionId: number }> {
  const outcome = await client.submit(openSessionCommand(username))
  if (outcome === 'indeterminate' || !('answer' in outcome)) throw new Error(`${username} could not sign in`)
  return outcome.answer as { userId: number; sessionId: number } // what openGuestSession answers
}

describe('a term', () => {
  it('[REG-07] begins by skipping to the number of the clock, and by 2^20 numbers at least', async () => {
    const client = openInProcessClient()
    const first = await client.openDatabase(openOptions)
    expect(first).toEqual({ txid: '00000000000000aa', seq: FIRST_TERM_SEQ })
    const claims = await openSession(client, 'ada')
    expect(await client.submit(endSessionCommand(claims))).toMatchObject({ position: { seq: FIRST_TERM_SEQ + 1 } })
    await client.closeDatabase()
    const again = FIRST_TERM_SEQ + 1 + SEQ_SKIP + 2 ** 19
    expect(await client.openDatabase(openOptions)).toMatchObject({ seq: again })
    expect(reported.events.map(({ seq }) => seq)).toEqual([FIRST_TERM_SEQ + 1])
  })

  it('[REG-07] begins with the migrations, which nothing else runs', async () => {
    const client = openInProcessClient()
    expect(await client.submit(openSessionCommand('ada'))).toBe('indeterminate')
    expect(() => readDatabase(() => {})).toThrow('unable to open')
    await client.openDatabase(openOptions)
    expect(readDatabase((db) => db.prepare('select count(*) from migration').pluck().get())).toBe(migrations.length)
  })

  it('skips no numbers on a plain file, whose positions have no transaction', async () => {
    const client = openInProcessClient({ isOnLiteFs: false })
    expect(await client.openDatabase(openOptions)).toEqual({ txid: '', seq: 0 })
    const claims = await openSession(client, 'ada')
    expect(await client.submit(endSessionCommand(claims))).toEqual({
      answer: { ended: true },
      position: { txid: '', seq: 1 },
    })
    expect(await client.closeDatabase()).toEqual({ txid: '', seq: 1 })
  })

  it('[REG-18] uses the cluster clock', async () => {
    const client = openInProcessClient()
    await client.openDatabase({ clockOffsetMs: 3_600_000 })
    await openSession(client, 'ada')
    expect(readDatabase((db) => db.prepare('select createdAt from user').pluck().get())).toBe(NOW + 3_600_000)
  })

  it('rejects with the reason when the file cannot be used, and can be opened later', async () => {
    writeFileSync(file, 'no database at all, but long enough to look like one'.repeat(100))
    const client = openInProcessClient({ isOnLiteFs: false })
    await expect(client.openDatabase(openOptions)).rejects.toThrow(DatabaseError)
    rmSync(file)
    expect(await client.openDatabase(openOptions)).toEqual({ txid: '', seq: 0 })
  })

  it.each(['skip', 'position'])('[REG-08] does not begin when the lease goes before its %s is known', async (at) => {
    const client = openInProcessClient()
    if (at === 'skip') liteFs.failsAt = /^commit$/
    const txid = liteFs.txid
    if (at === 'position') liteFs.txid = failToRead
    expect(await client.openDatabase(openOptions)).toBe('leaseLost')
    expect(reported.losses).toHaveLength(1)
    expect(await client.submit(openSessionCommand('ada'))).toBe('indeterminate')
    liteFs = { txid, failsAt: null }
    expect(await client.openDatabase(openOptions)).toMatchObject({ txid: txid() })
  })
})

function failToRead(): string {
  throw Object.assign(new Error('transport endpoint is not connected'), { code: 'ENOTCONN' })
}

describe('a batch whose commit fails because the lease is lost', () => {
  it.each([
    ['at its beginning', /^begin immediate$/],
    ['in the middle', /^insert into "session"/],
    ['at its end', /^commit$/],
  ])(
    '[REG-08] is indeterminate for every caller when it fails %s, and runs once when it is submitted again',
    async (_, failsAt) => {
      const client = openInProcessClient()
      await client.openDatabase(openOptions)
      const ada = await openSession(client, 'ada')
      const commands = [endSessionCommand(ada), openSessionCommand('can'), openSessionCommand('deniz')]
      liteFs.failsAt = failsAt
      expect(await Promise.all(commands.map((command) => client.submit(command)))).toEqual([
        'indeterminate',
        'indeterminate',
        'indeterminate',
      ])
      expect(reported.events).toEqual([])
      expect(client.pendingCount()).toBe(0)

      liteFs.failsAt = null
      expect(await client.submit(openSessionCommand('early'))).toBe('indeterminate')
      await client.openDatabase(openOptions)
      const again = await Promise.all(commands.map((command) => client.submit(command)))
      expect(again).toMatchObject([{ answer: { ended: true } }, { answer: {} }, { answer: {} }])
      expect(usernames()).toEqual(['ada', 'can', 'deniz'])
      expect(reported.events.map(({ name }) => name)).toEqual(['forceDisconnect'])
      expect(reported.bugs).toEqual([])
    },
  )

  it('[REG-08] [REG-09] may have been committed: submitted again, it gets the first answer', async () => {
    const client = openInProcessClient()
    await client.openDatabase(openOptions)
    const ada = await openSession(client, 'ada')
    const commands = [openSessionCommand('can'), endSessionCommand(ada)]
    const txid = liteFs.txid
    liteFs.txid = failToRead
    expect(await Promise.all(commands.map((command) => client.submit(command)))).toEqual([
      'indeterminate',
      'indeterminate',
    ])
    expect(usernames()).toEqual(['ada', 'can'])

    liteFs.txid = txid
    await client.openDatabase(openOptions)
    const again = await Promise.all(commands.map((command) => client.submit(command)))
    expect(again).toMatchObject([{ answer: { userId: 2 } }, { answer: { ended: true } }])
    expect(usernames()).toEqual(['ada', 'can'])
  })

  it('[REG-08] makes the commands that wait behind it indeterminate too', async () => {
    const onLost = () => {
      liteFs.failsAt = null
    }
    const client = openInProcessClient({ onLeaseLost: onLost })
    await client.openDatabase(openOptions)
    liteFs.failsAt = /^commit$/
    const many = Array.from({ length: 600 }, (_, index) => client.submit(openSessionCommand(`guest${index}`)))
    const closed = client.closeDatabase()
    expect(new Set(await Promise.all(many))).toEqual(new Set(['indeterminate']))
    expect(await closed).toMatchObject({ seq: FIRST_TERM_SEQ })
    expect(usernames()).toEqual([])
  })

  it('is refused as Busy on a plain file, where a failed write means nothing about a lease', async () => {
    const client = openInProcessClient({ isOnLiteFs: false })
    await client.openDatabase(openOptions)
    liteFs.failsAt = /^commit$/
    expect(await client.submit(openSessionCommand('ada'))).toMatchObject({ refusal: { code: 'Busy' } })
    expect(reported.bugs).toEqual([expect.stringContaining('disk I/O error')])
    liteFs.failsAt = null
    expect(await client.submit(openSessionCommand('ada'))).toMatchObject({ answer: {} })
  })
})

describe('the writer client', () => {
  it('[REG-09] keeps the answer to a command without a session under the id that the region made', async () => {
    const client = openInProcessClient()
    await client.openDatabase(openOptions)
    const command = openSessionCommand('ada')
    const first = await client.submit(command)
    expect(await client.submit(command)).toEqual(first)
    expect(usernames()).toEqual(['ada'])
    expect(await client.submit(openSessionCommand('can', command.clientId))).toMatchObject({
      refusal: { code: 'ClientIdReused' },
    })
  })

  it('answers only after the events of the commit were handed over', async () => {
    const order: string[] = []
    const client = openInProcessClient()
    client.onCommit((events, { txid }) => void order.push(`${events.length} events at ${txid}`))
    await client.openDatabase(openOptions)
    const ada = await openSession(client, 'ada')
    liteFs.txid = () => '00000000000000ab'
    await client.submit(endSessionCommand(ada)).then(() => order.push('answer'))
    expect(order).toEqual(['0 events at 00000000000000aa', '1 events at 00000000000000ab', 'answer'])
  })

  it('finishes the commands that it took when it closes, and takes no more', async () => {
    const client = openInProcessClient()
    await client.openDatabase(openOptions)
    const accepted = ['ada', 'can'].map((name) => client.submit(openSessionCommand(name)))
    const closed = client.closeDatabase()
    expect(await client.submit(openSessionCommand('deniz'))).toBe('indeterminate')
    await closed
    expect(await Promise.all(accepted)).toMatchObject([{ answer: {} }, { answer: {} }])
    expect(usernames()).toEqual(['ada', 'can'])
  })

  it('refuses a command as Busy when its queue is full', async () => {
    const client = openInProcessClient({ maxQueueLength: 2 })
    await client.openDatabase(openOptions)
    const outcomes = ['ada', 'can', 'deniz'].map((name) => client.submit(openSessionCommand(name)))
    expect(client.pendingCount()).toBe(2)
    expect(await Promise.all(outcomes)).toMatchObject([{ answer: {} }, { answer: {} }, { refusal: { code: 'Busy' } }])
    expect(client.pendingCount()).toBe(0)
  })
})

/** A thread loads the whole writer, on a machine that may be busy. */
const SLOW = { timeout: 60_000 }

describe('the writer in a thread', SLOW, () => {
  it('opens and closes the file as often as the lease comes and goes', async () => {
    const client = openThreadClient({ isOnLiteFs: false })
    for (const name of ['ada', 'can', 'deniz']) {
      expect(await client.openDatabase(openOptions)).toMatchObject({ txid: '' })
      await openSession(client, name)
      await client.closeDatabase()
      expect(await client.submit(openSessionCommand('nobody'))).toBe('indeterminate')
    }
    expect(usernames()).toEqual(['ada', 'can', 'deniz'])
  })

  it('stays closed when it is closed before it was open', async () => {
    const client = openThreadClient({ isOnLiteFs: false })
    const opened = client.openDatabase(openOptions)
    await client.closeDatabase()
    expect(await opened).toEqual({ txid: '', seq: 0 })
    expect(await client.submit(openSessionCommand('ada'))).toBe('indeterminate')
  })

  it('[REG-07] skips by random numbers, and reads its position from LiteFS', async () => {
    writeFileSync(`${file}-pos`, '00000000000000ab/bec4db88e5a2cb37\n')
    const client = openThreadClient()
    const first = await client.openDatabase(openOptions)
    await client.closeDatabase()
    const second = await client.openDatabase(openOptions)
    if (first === 'leaseLost' || second === 'leaseLost') throw new Error('the lease was taken away')
    expect(first.txid).toBe('00000000000000ab')
    expect(first.seq).toBeGreaterThan(SEQ_SKIP)
    expect(second.seq - first.seq).toBeGreaterThan(SEQ_SKIP)
    expect(second.seq - first.seq).not.toBe(first.seq)
    rmSync(`${file}-pos`)
    expect(await client.submit(openSessionCommand('ada'))).toBe('indeterminate')
    expect(reported.losses).toEqual([expect.stringContaining('ENOENT')])
  })

  it('rejects with the reason when the file cannot be used', async () => {
    writeFileSync(file, 'no database at all, but long enough to look like one'.repeat(100))
    await expect(openThreadClient({ isOnLiteFs: false }).openDatabase(openOptions)).rejects.toThrow('is damaged')
  })

  it('runs more commands than one batch holds in the order in which they came', async () => {
    const client = openThreadClient({ isOnLiteFs: false })
    await client.openDatabase(openOptions)
    const names = Array.from({ length: 700 }, (_, index) => `guest${index}`)
    await Promise.all(names.map((name) => client.submit(openSessionCommand(name))))
    expect(usernames()).toEqual(names)
    expect(readDatabase((db) => new DatabaseReader(db).cursor())).toBe(0)
  })
})
