import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createPerson } from '../../../../shared/accounts/testing/person-fixture.ts'
import { createFakeTransport, type FakeTransport } from '../../../testing/fixtures/fake-transport.ts'
import { openTestConnection } from '../../../testing/fixtures/test-connection.ts'
import { openTestDatabase, type TestDatabase } from '../../../testing/fixtures/test-database.ts'
import { skipSequence } from '../../database/events/skip-sequence.ts'
import { siteStream } from '../../database/events/streams.ts'
import { WriterTransaction } from '../../database/transaction.ts'
import { Publisher } from '../../live/publisher.ts'
import { LogTailer } from './log-tailer.ts'

let base: TestDatabase
let publisher: Publisher
let testConnection: FakeTransport
let tailer: LogTailer
let resyncs: number[]
beforeEach(async () => {
  base = await openTestDatabase()
  createTailer()
})
afterEach(() => {
  tailer.close()
  base.close()
})

/** Starts the region with one connection that receives everything. */
function createTailer(): void {
  publisher = new Publisher(base.read.cursor())
  resyncs = []
  tailer = new LogTailer(base.read, publisher, (seq) => resyncs.push(seq))
  testConnection = connect()
}
function connect(): FakeTransport {
  const transport = createFakeTransport()
  const connection = openTestConnection(transport, { person: createPerson(1) })
  publisher.subscribe(connection, siteStream, base.read.cursor())
  return transport
}
/** Commits events as a primary does, and returns them. */
function write(count: number, text = 'x') {
  return commit((tx) => {
    for (let i = 0; i < count; i++)
      tx.emit({ stream: siteStream, name: 'serverMaintenance', payload: { isOn: true, message: `${text}${i}` } })
  })
}
/** Begins a term. */
const startTerm = (more: number) => commit((tx) => skipSequence(tx, { more }))
function commit(work: (tx: WriterTransaction) => void) {
  const tx = new WriterTransaction(base.db)
  tx.begin(base.clock.now)
  work(tx)
  return tx.commit()
}
/** Replaces everything after this `seq` by another history. */
function loseEventsAfter(after: number): void {
  base.db.prepare('delete from event where seq > ?').run(after)
  base.db.prepare('delete from eventGap where toSeq > ?').run(after)
}
/** The received sequence numbers, once this many were sent. */
async function receivedSeqs(count: number, on = testConnection): Promise<number[]> {
  await on.waitForValue(() => on.received.length >= count)
  return numbers(on)
}
const numbers = ({ received }: FakeTransport) => received.map((value) => Number(value[1]))
const consecutive = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)

describe('the log tailer on a replica', () => {
  it('[REG-03] publishes one transaction', async () => {
    write(1)
    expect(tailer.publishNew()).toBe(1)
    write(1)
    expect(tailer.publishNew()).toBe(1)
    expect(tailer.publishNew()).toBe(0)
    expect(await receivedSeqs(2)).toEqual([1, 2])
  })

  it('[REG-03] publishes many transactions in order, and yields between chunks', async () => {
    write(5_000)
    let turns = 0
    const turn = () => {
      turns++
      ticking = setImmediate(turn)
    }
    let ticking = setImmediate(turn)
    onTestFinished(() => clearImmediate(ticking))
    expect(tailer.publishNew()).toBe(500)
    expect(tailer.publishNew()).toBe(0)
    expect(await receivedSeqs(5_000)).toEqual(consecutive(1, 5_000))
    expect(turns).toBeGreaterThan(8)
  })

  it('[REG-03] publishes a snapshot with a gap', async () => {
    write(3)
    tailer.publishNew()
    write(2)
    startTerm(7)
    const [first] = write(600)
    tailer.publishNew()
    expect(await receivedSeqs(605)).toEqual([...consecutive(1, 5), ...consecutive(first?.seq ?? 0, 600)])
    expect(resyncs).toEqual([])
  })

  it('[REG-03] goes on after the published events were trimmed, if none is missing', async () => {
    write(3)
    tailer.publishNew()
    startTerm(1)
    startTerm(2)
    const rows = write(2)
    base.db.prepare('delete from event where seq <= 3').run()
    tailer.publishNew()
    expect(await receivedSeqs(5)).toEqual([1, 2, 3, ...rows.map(({ seq }) => seq)])
    expect(resyncs).toEqual([])
  })

  it('[REG-03] publishes the first event ever, after terms without events', async () => {
    startTerm(1)
    startTerm(2)
    const rows = write(1)
    tailer.publishNew()
    expect(await receivedSeqs(1)).toEqual(rows.map(({ seq }) => seq))
  })
})

describe('the log tailer on the primary', () => {
  it('[REG-03] publishes a commit once, whether LiteFS or the writer reports it first', async () => {
    const rows = write(2)
    tailer.publishNew()
    tailer.publishCommitted(rows)
    const more = write(2)
    tailer.publishCommitted(more)
    tailer.publishNew()
    expect(await receivedSeqs(4)).toEqual([1, 2, 3, 4])
  })

  it('[REG-03] publishes events of the former primary before its own', async () => {
    write(1200)
    tailer.publishNew()
    startTerm(5)
    const rows = write(2)
    tailer.publishCommitted(rows)
    expect(publisher.cursor()).toBe(rows[1]?.seq)
    expect(await receivedSeqs(1202)).toEqual([...consecutive(1, 1200), ...rows.map(({ seq }) => seq)])
    expect(resyncs).toEqual([])
  })
})

describe('the log tailer after a lost history', () => {
  /** Every connection was told to resync, and a new one receives the new history. */
  async function expectNewHistory(): Promise<void> {
    expect(testConnection.closeCode).toBe(4503)
    const back = connect()
    const rows = write(2, 'new')
    tailer.publishNew()
    expect(await receivedSeqs(2, back)).toEqual(rows.map(({ seq }) => seq))
    expect(resyncs).toHaveLength(1)
  }

  it('[REG-03] makes everyone resync when a published event is gone', async () => {
    write(10)
    tailer.publishNew()
    loseEventsAfter(6)
    tailer.publishNew()
    expect(publisher.cursor()).toBe(6)
    startTerm(3)
    tailer.publishNew()
    await expectNewHistory()
  })

  it('[REG-03] makes everyone resync when the new term skipped a published event', async () => {
    write(10)
    tailer.publishNew()
    loseEventsAfter(6)
    startTerm(3)
    write(1)
    tailer.publishNew()
    await expectNewHistory()
  })

  it('[REG-03] makes everyone resync when the lost term had skipped further', async () => {
    write(6)
    startTerm(100_000)
    tailer.publishCommitted(write(5, 'lost'))
    loseEventsAfter(6)
    startTerm(99_998)
    const [first] = write(10)
    tailer.publishNew()
    expect(publisher.cursor()).toBe((first?.seq ?? 0) + 9)
    await expectNewHistory()
  })

  it('[REG-03] makes everyone resync when the new history has the same numbers', async () => {
    write(6)
    startTerm(100)
    tailer.publishCommitted(write(5, 'lost'))
    loseEventsAfter(6)
    startTerm(100)
    write(5)
    tailer.publishNew()
    await expectNewHistory()
  })

  it('[REG-03] makes everyone resync when the log is empty', async () => {
    write(6)
    tailer.publishNew()
    loseEventsAfter(0)
    tailer.publishNew()
    await expectNewHistory()
  })

  it('[REG-03] makes everyone resync when the log was trimmed beyond the published events', async () => {
    write(6)
    tailer.publishNew()
    write(10)
    base.db.prepare('delete from event where seq <= 8').run()
    tailer.publishNew()
    expect(publisher.cursor()).toBe(16)
    await expectNewHistory()
  })

  it('[REG-03] makes nobody resync when no lost event was published', async () => {
    write(6)
    tailer.publishNew()
    write(2, 'lost')
    loseEventsAfter(6)
    startTerm(1)
    const rows = write(1)
    tailer.publishNew()
    expect(await receivedSeqs(7)).toEqual([...consecutive(1, 6), ...rows.map(({ seq }) => seq)])
    expect(resyncs).toEqual([])
  })
})
