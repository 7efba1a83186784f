import { readFileSync } from 'node:fs'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lastUsedSeq, skipSequence } from '../../database/events.ts'
import { userStream } from '../../database/streams.ts'
import { WriterTransaction } from '../../database/transact.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { TermLedger } from './primary-terms.ts'

let base: TestDatabase
let lost: number[]
let warned: unknown[]
let ledger: TermLedger
const log = pino({ level: 'warn' }, { write: (line: string) => void warned.push(JSON.parse(line)) })
const openLedger = () =>
  new TermLedger({ file: `${base.file}.reigns`, log, onEventsLost: (events) => lost.push(events) })
beforeEach(async () => {
  base = await openTestDatabase()
  lost = []
  warned = []
  ledger = openLedger()
})
afterEach(() => {
  ledger.close()
  base.close()
})

/** As the primary's writer does at the beginning of each reign, here or in another region. */
function startTerm(more = 0): number {
  const tx = new WriterTransaction(base.db)
  tx.begin(base.clock.now)
  skipSequence(tx, { more })
  tx.commit()
  return lastUsedSeq(base.read)
}

/** One batch with so many events, as the primary's writer commits it. Answers the last one's number. */
function emit(count: number): number {
  const tx = new WriterTransaction(base.db)
  tx.begin(base.clock.now)
  for (let i = 0; i < count; i++) {
    tx.emit({ stream: userStream(1), name: 'forceDisconnect', payload: { message: 'x' } })
  }
  tx.commit()
  return tx.committedSeq()
}

/** This region leads, and commits batches of so many events. */
function commitTerm(...batches: number[]): void {
  ledger.beginTerm(base.read, { txid: '', seq: startTerm(1000) })
  for (const count of batches) ledger.recordCommit({ txid: '', seq: emit(count) })
}

/** The site's history goes on from here as if nothing after it had happened; LiteFS puts it in the place of ours. */
function loseEventsAfter(afterSeq: number): void {
  base.db.prepare('delete from event where seq > ?').run(afterSeq)
  base.db.prepare('delete from eventGap where toSeq > ?').run(afterSeq)
}

describe('what a former primary has lost', () => {
  it('[REG-11] is nothing after a graceful handover, and what was noted is forgotten', () => {
    commitTerm(3, 2)
    startTerm()
    emit(4)
    ledger.reportLostEvents(base.read)
    expect([lost, warned]).toEqual([[], []])
    expect(readFileSync(`${base.file}.reigns`, 'utf8')).toBe('')
  })

  it('[REG-11] is counted and logged once, whether or not the process ended in between', () => {
    commitTerm(3, 2)
    const arrived = lastUsedSeq(base.read) - 2
    ledger.close()
    ledger = openLedger()
    ledger.reportLostEvents(base.read)
    expect(lost).toEqual([])

    loseEventsAfter(arrived)
    startTerm(2000)
    emit(1)
    ledger.reportLostEvents(base.read)
    ledger.reportLostEvents(base.read)
    expect(lost).toEqual([2])
    expect(warned).toMatchObject([{ level: 40, events: 2 }])
    ledger.close()
    ledger = openLedger()
    ledger.reportLostEvents(base.read)
    expect(lost).toEqual([2])
  })

  it('[REG-11] is seen where nobody leads yet and the log just ends earlier', () => {
    commitTerm(5)
    loseEventsAfter(lastUsedSeq(base.read) - 1)
    ledger.reportLostEvents(base.read)
    expect(lost).toEqual([1])
  })

  it.each([0, 5000])(
    '[REG-11] is all of a reign whose beginning did not arrive, where the next leapt by %i more',
    (more) => {
      emit(1)
      commitTerm(5)
      loseEventsAfter(1)
      startTerm(more)
      emit(9)
      ledger.reportLostEvents(base.read)
      expect(lost).toEqual([5])
    },
  )

  it('[REG-11] is counted over several reigns in a row that were all lost', () => {
    commitTerm(2)
    const arrived = lastUsedSeq(base.read) - 1
    commitTerm(3)
    commitTerm(4)
    loseEventsAfter(arrived)
    startTerm(3 * 2 ** 20)
    ledger.reportLostEvents(base.read)
    expect(lost).toEqual([1 + 3 + 4])
  })

  it('[REG-11] is told when this region leads again, which goes on counting its new reign', () => {
    commitTerm(3)
    loseEventsAfter(lastUsedSeq(base.read) - 3)
    commitTerm(2)
    expect(lost).toEqual([3])
    loseEventsAfter(lastUsedSeq(base.read) - 1)
    ledger.reportLostEvents(base.read)
    expect(lost).toEqual([3, 1])
  })

  it('[REG-11] is nothing where this region leads again with all that it had', () => {
    commitTerm(3)
    commitTerm(2)
    startTerm()
    ledger.reportLostEvents(base.read)
    expect(lost).toEqual([])
  })

  it('[REG-11] does not depend on rows, which are trimmed: neither more nor less of it', () => {
    commitTerm(5)
    const arrived = lastUsedSeq(base.read) - 2
    loseEventsAfter(arrived)
    startTerm(1000)
    base.clock.now += 25 * 60 * 60 * 1000
    emit(2)
    expect(base.run({ command: 'trimLog' }).answer).toEqual({ removed: 3 })
    ledger.reportLostEvents(base.read)
    expect(lost).toEqual([2])

    commitTerm(5)
    startTerm()
    base.clock.now += 25 * 60 * 60 * 1000
    emit(1)
    expect(base.run({ command: 'trimLog' }).answer).toEqual({ removed: 7 })
    ledger.reportLostEvents(base.read)
    expect(lost).toEqual([2])
  })
})
