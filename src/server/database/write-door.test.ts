import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/database.ts'
import { type LoggedEvent, SEQ_LEAP } from './events.ts'
import { loadMigrations, type NumberedMigration } from './migrate.ts'
import { DatabaseError, openForReading, openForWriting } from './open.ts'
import { DatabaseReader } from './read.ts'
import { createWriteDoor, type Order, type WriteDoor, type WriteDoorOptions } from './write-door.ts'
import { writerHere } from './writer-source.ts'

const NOW = 1_700_000_000_000

let folder: ReturnType<typeof temporaryFolder>
let file: string
let migrations: NumberedMigration[]
let told: { events: LoggedEvent[]; bugs: string[]; losses: string[] }
let doors: WriteDoor[]
/** LiteFS as the writer meets it: how far it is, and the statement that fails while the lease is away. */
let liteFs: { txid: () => string; failsAt: RegExp | null }

beforeEach(async () => {
  folder = temporaryFolder()
  file = join(folder.path, 'meydan.db')
  migrations = await loadMigrations()
  told = { events: [], bugs: [], losses: [] }
  doors = []
  liteFs = { txid: () => '00000000000000aa', failsAt: null }
})
afterEach(async () => {
  for (const door of doors) await door.close()
  folder.remove()
})

function optionsOf(more: Partial<WriteDoorOptions>): WriteDoorOptions {
  return {
    file,
    queueLength: 1000,
    onLiteFs: true,
    onEvents: (events) => void told.events.push(...events),
    onBatch: () => {},
    onBug: (command, stack) => void told.bugs.push(`${command}: ${stack}`),
    onLost: (cause) => void told.losses.push(cause),
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
function doorHere(more: Partial<WriteDoorOptions> = {}): WriteDoor {
  const options = optionsOf(more)
  const source = writerHere({
    onLiteFs: options.onLiteFs,
    migrations,
    openDatabase: openFailing,
    readTxid: () => (options.onLiteFs ? liteFs.txid() : ''),
    clock: () => NOW,
    random: (below) => Math.floor(below / 2),
  })
  const door = createWriteDoor(options, source)
  doors.push(door)
  return door
}

function doorInThread(more: Partial<WriteDoorOptions> = {}): WriteDoor {
  const door = createWriteDoor(optionsOf(more))
  doors.push(door)
  return door
}

const enter = (username: string, clientId: string | null = `region:${randomUUID()}`): Order => ({
  command: 'openGuestSession',
  actor: null,
  input: { username, gender: null, browserId: null, platform: 'web' },
  clientId,
  moment: { inRoomForMs: null },
})
const leave = (actor: Order['actor'], clientId = randomUUID()): Order => ({
  ...enter(''),
  command: 'endSession',
  actor,
  input: {},
  clientId,
})
const reign = { clockOffsetMs: 0 }
/** Where a reign begins on an empty log: 1,024 numbers a millisecond, and half of 2^20 by the random numbers of doorHere. */
const BEGINS_AT = NOW * 1_024 + 2 ** 19

/** Looks into the file as another connection of the process does. */
function look<T>(see: (db: Sqlite.Database) => T): T {
  const db = openForReading(file)
  try {
    return see(db)
  } finally {
    db.close()
  }
}
const usernames = () => look((db) => db.prepare('select username from user order by id').pluck().all())

async function entered(door: WriteDoor, username: string): Promise<{ userId: number; sessionId: number }> {
  const carried = await door.carryOut(enter(username))
  if (carried === 'lost' || !('answer' in carried)) throw new Error(`${username} could not enter`)
  return carried.answer as { userId: number; sessionId: number } // what openGuestSession answers
}

describe('a reign', () => {
  it('[REG-07] begins with a leap to what the clock says and more, each time by 2^20 at least', async () => {
    const door = doorHere()
    const first = await door.open(reign)
    expect(first).toEqual({ txid: '00000000000000aa', seq: BEGINS_AT })
    const claims = await entered(door, 'ada')
    expect(await door.carryOut(leave(claims))).toMatchObject({ position: { seq: BEGINS_AT + 1 } })
    await door.shut()
    const again = BEGINS_AT + 1 + SEQ_LEAP + 2 ** 19
    expect(await door.open(reign)).toMatchObject({ seq: again })
    expect(told.events.map(({ seq }) => seq)).toEqual([BEGINS_AT + 1])
  })

  it('[REG-07] migrates; until then nobody does', async () => {
    const door = doorHere()
    expect(await door.carryOut(enter('ada'))).toBe('lost')
    expect(() => look(() => {})).toThrow('unable to open')
    await door.open(reign)
    expect(look((db) => db.prepare('select count(*) from migration').pluck().get())).toBe(migrations.length)
  })

  it('leaps nowhere on a plain file, whose positions have no transaction', async () => {
    const door = doorHere({ onLiteFs: false })
    expect(await door.open(reign)).toEqual({ txid: '', seq: 0 })
    const claims = await entered(door, 'ada')
    expect(await door.carryOut(leave(claims))).toEqual({ answer: { ended: true }, position: { txid: '', seq: 1 } })
    expect(await door.shut()).toEqual({ txid: '', seq: 1 })
  })

  it('[REG-18] goes by the clock that the region has learnt', async () => {
    const door = doorHere()
    await door.open({ clockOffsetMs: 3_600_000 })
    await entered(door, 'ada')
    expect(look((db) => db.prepare('select createdAt from user').pluck().get())).toBe(NOW + 3_600_000)
  })

  it('says what is wrong with a file that cannot be used, and may be tried again', async () => {
    writeFileSync(file, 'no database at all, but long enough to look like one'.repeat(100))
    const door = doorHere({ onLiteFs: false })
    await expect(door.open(reign)).rejects.toThrow(DatabaseError)
    rmSync(file)
    expect(await door.open(reign)).toEqual({ txid: '', seq: 0 })
  })

  it.each(['leap', 'position'])('[REG-08] is lost when the lease goes before its %s is there', async (at) => {
    const door = doorHere()
    if (at === 'leap') liteFs.failsAt = /^commit$/
    const txid = liteFs.txid
    if (at === 'position') liteFs.txid = failToRead
    expect(await door.open(reign)).toBe('lost')
    expect(told.losses).toHaveLength(1)
    expect(await door.carryOut(enter('ada'))).toBe('lost')
    liteFs = { txid, failsAt: null }
    expect(await door.open(reign)).toMatchObject({ txid: txid() })
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
    const door = doorHere()
    await door.open(reign)
    const ada = await entered(door, 'ada')
    const orders = [leave(ada), enter('can'), enter('deniz')]
    liteFs.failsAt = failsAt
    expect(await Promise.all(orders.map((order) => door.carryOut(order)))).toEqual(['lost', 'lost', 'lost'])
    expect(told.events).toEqual([])
    expect(door.waiting()).toBe(0)

    liteFs.failsAt = null
    expect(await door.carryOut(enter('early'))).toBe('lost')
    await door.open(reign)
    const again = await Promise.all(orders.map((order) => door.carryOut(order)))
    expect(again).toMatchObject([{ answer: { ended: true } }, { answer: {} }, { answer: {} }])
    expect(usernames()).toEqual(['ada', 'can', 'deniz'])
    expect(told.events.map(({ name }) => name)).toEqual(['forceDisconnect'])
    expect(told.bugs).toEqual([])
  })

  it('[REG-08] [REG-09] may have happened all the same: sent again, it gets the answer of the first time', async () => {
    const door = doorHere()
    await door.open(reign)
    const ada = await entered(door, 'ada')
    const orders = [enter('can'), leave(ada)]
    const txid = liteFs.txid
    liteFs.txid = failToRead
    expect(await Promise.all(orders.map((order) => door.carryOut(order)))).toEqual(['lost', 'lost'])
    expect(usernames()).toEqual(['ada', 'can'])

    liteFs.txid = txid
    await door.open(reign)
    const again = await Promise.all(orders.map((order) => door.carryOut(order)))
    expect(again).toMatchObject([{ answer: { userId: 2 } }, { answer: { ended: true } }])
    expect(usernames()).toEqual(['ada', 'can'])
  })

  it('[REG-08] takes along what waited behind it, in the same moment or not', async () => {
    const onLost = () => {
      liteFs.failsAt = null
    }
    const door = doorHere({ onLost })
    await door.open(reign)
    liteFs.failsAt = /^commit$/
    const many = Array.from({ length: 600 }, (_, index) => door.carryOut(enter(`guest${index}`)))
    const shut = door.shut()
    expect(new Set(await Promise.all(many))).toEqual(new Set(['lost']))
    expect(await shut).toMatchObject({ seq: BEGINS_AT })
    expect(usernames()).toEqual([])
  })

  it('is refused as Busy on a plain file, where a disk that cannot be written is just that', async () => {
    const door = doorHere({ onLiteFs: false })
    await door.open(reign)
    liteFs.failsAt = /^commit$/
    expect(await door.carryOut(enter('ada'))).toMatchObject({ refusal: { code: 'Busy' } })
    expect(told.bugs).toEqual([expect.stringContaining('disk I/O error')])
    liteFs.failsAt = null
    expect(await door.carryOut(enter('ada'))).toMatchObject({ answer: {} })
  })
})

describe('the write door', () => {
  it('[REG-09] keeps the answer to whoever has no session under the id that the region made', async () => {
    const door = doorHere()
    await door.open(reign)
    const order = enter('ada')
    const first = await door.carryOut(order)
    expect(await door.carryOut(order)).toEqual(first)
    expect(usernames()).toEqual(['ada'])
    expect(await door.carryOut(enter('can', order.clientId))).toMatchObject({ refusal: { code: 'ClientIdReused' } })
  })

  it('answers, on whatever place in the history, only after its events were told', async () => {
    const order: string[] = []
    const door = doorHere({ onEvents: (events, { txid }) => void order.push(`${events.length} events at ${txid}`) })
    await door.open(reign)
    const ada = await entered(door, 'ada')
    liteFs.txid = () => '00000000000000ab'
    await door.carryOut(leave(ada)).then(() => order.push('answer'))
    expect(order).toEqual(['0 events at 00000000000000aa', '1 events at 00000000000000ab', 'answer'])
  })

  it('settles what it took when it is shut, and takes nothing more', async () => {
    const door = doorHere()
    await door.open(reign)
    const taken = ['ada', 'can'].map((name) => door.carryOut(enter(name)))
    const shut = door.shut()
    expect(await door.carryOut(enter('deniz'))).toBe('lost')
    await shut
    expect(await Promise.all(taken)).toMatchObject([{ answer: {} }, { answer: {} }])
    expect(usernames()).toEqual(['ada', 'can'])
  })

  it('refuses as Busy what does not fit into its queue', async () => {
    const door = doorHere({ queueLength: 2 })
    await door.open(reign)
    const carried = ['ada', 'can', 'deniz'].map((name) => door.carryOut(enter(name)))
    expect(door.waiting()).toBe(2)
    expect(await Promise.all(carried)).toMatchObject([{ answer: {} }, { answer: {} }, { refusal: { code: 'Busy' } }])
    expect(door.waiting()).toBe(0)
  })
})

/** A thread loads the whole writer, on a machine that may be busy with other things. */
const SLOW = { timeout: 60_000 }

describe('the writer in its thread', SLOW, () => {
  it('opens and shuts the file as often as the lease comes and goes', async () => {
    const door = doorInThread({ onLiteFs: false })
    for (const name of ['ada', 'can', 'deniz']) {
      expect(await door.open(reign)).toMatchObject({ txid: '' })
      await entered(door, name)
      await door.shut()
      expect(await door.carryOut(enter('nobody'))).toBe('lost')
    }
    expect(usernames()).toEqual(['ada', 'can', 'deniz'])
  })

  it('stays shut when it is shut again before it was open', async () => {
    const door = doorInThread({ onLiteFs: false })
    const opened = door.open(reign)
    await door.shut()
    expect(await opened).toEqual({ txid: '', seq: 0 })
    expect(await door.carryOut(enter('ada'))).toBe('lost')
  })

  it('[REG-07] leaps by other numbers in each history, and reads from LiteFS how far it is', async () => {
    writeFileSync(`${file}-pos`, '00000000000000ab/bec4db88e5a2cb37\n')
    const door = doorInThread()
    const first = await door.open(reign)
    await door.shut()
    const second = await door.open(reign)
    if (first === 'lost' || second === 'lost') throw new Error('nobody took the lease away')
    expect(first.txid).toBe('00000000000000ab')
    expect(first.seq).toBeGreaterThan(SEQ_LEAP)
    expect(second.seq - first.seq).toBeGreaterThan(SEQ_LEAP)
    expect(second.seq - first.seq).not.toBe(first.seq)
    rmSync(`${file}-pos`)
    expect(await door.carryOut(enter('ada'))).toBe('lost')
    expect(told.losses).toEqual([expect.stringContaining('ENOENT')])
  })

  it('says what is wrong with a file that cannot be used', async () => {
    writeFileSync(file, 'no database at all, but long enough to look like one'.repeat(100))
    await expect(doorInThread({ onLiteFs: false }).open(reign)).rejects.toThrow('is damaged')
  })

  it('carries out more than a batch in the order in which it came', async () => {
    const door = doorInThread({ onLiteFs: false })
    await door.open(reign)
    const names = Array.from({ length: 700 }, (_, index) => `guest${index}`)
    await Promise.all(names.map((name) => door.carryOut(enter(name))))
    expect(usernames()).toEqual(names)
    expect(look((db) => new DatabaseReader(db).cursor())).toBe(0)
  })
})
