import { readFileSync } from 'node:fs'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../testing/fixtures/test-database.ts'
import { lastUsedSeq } from '../../database/events/events.ts'
import { skipSequence } from '../../database/events/skip-sequence.ts'
import { userStream } from '../../database/events/streams.ts'
import { WriterTransaction } from '../../database/transaction.ts'
import { TermHistory } from './primary-terms.ts'

let base: TestDatabase
let lost: number[]
let warned: unknown[]
let ledger: TermHistory
const log = pino({ level: 'warn' }, { write: (line: string) => void warned.push(JSON.parse(line)) })
const openLedger = () =>
  new TermHistory({ file: `${base.file}.reigns`, log, onEventsLost: (events) => lost.push(events) })
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

/** Skips numbers as a writer does at the start of each term, in any region. */
function startTerm(more = 0): number {
  const tx = new WriterTransaction(base.db)
  tx.begin(base.clock.now)
  skipSequence(tx, { more })
  tx.commit()
  return lastUsedSeq(base.read)
}

/** Commits one batch of this many events. Returns the last `seq`. */
function emit(count: number): number {
  const tx = new WriterTransaction(base.db)
  tx.begin(base.clock.now)
  for (let i = 0; i < count; i++) {
    tx.emit({ stream: userStream(1), name: 'forceDisconnect', payload: { message: 'x' } })
  }
  tx.commit()
  return tx.committedSeq()
}

/** Runs a term of this region with batches of these sizes. */
function commitTerm(...batches: number[]): void {
  ledger.beginTerm(base.read, { txid: '', seq: startTerm(1000) })
  for (const count of batches) ledger.recordCommit({ txid: '', seq: emit(count) })
}

/** Replaces the history after this `seq`, as LiteFS does after a lost primary. */
function loseEventsAfter(afterSeq: number): void {
  base.db.prepare('delete from event where seq > ?').run(afterSeq)
  base.db.prepare('delete from eventGap where toSeq > ?').run(afterSeq)
}

describe('the term ledger', () => {
  it('[REG-11] reports nothing after a graceful handover, and forgets its terms', () => {
    commitTerm(3, 2)
    startTerm()
    emit(4)
    ledger.reportLostEvents(base.read)
    expect([lost, warned]).toEqual([[], []])
    expect(readFileSync(`${base.file}.reigns`, 'utf8')).toBe('')
  })

  it('[REG-11] reports lost events once, also across a restart', () => {
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

  it('[REG-11] reports events beyond the end of the log while there is no primary', () => {
    commitTerm(5)
    loseEventsAfter(lastUsedSeq(base.read) - 1)
    ledger.reportLostEvents(base.read)
    expect(lost).toEqual([1])
  })

  it.each([0, 5000])(
    '[REG-11] reports a whole term whose start did not arrive, where the next skipped %i more',
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

  it('[REG-11] sums up consecutive lost terms', () => {
    commitTerm(2)
    const arrived = lastUsedSeq(base.read) - 1
    commitTerm(3)
    commitTerm(4)
    loseEventsAfter(arrived)
    startTerm(3 * 2 ** 20)
    ledger.reportLostEvents(base.read)
    expect(lost).toEqual([1 + 3 + 4])
  })

  it('[REG-11] reports when this region is the primary again, and records the new term', () => {
    commitTerm(3)
    loseEventsAfter(lastUsedSeq(base.read) - 3)
    commitTerm(2)
    expect(lost).toEqual([3])
    loseEventsAfter(lastUsedSeq(base.read) - 1)
    ledger.reportLostEvents(base.read)
    expect(lost).toEqual([3, 1])
  })

  it('[REG-11] reports nothing when this region is the primary again with everything', () => {
    commitTerm(3)
    commitTerm(2)
    startTerm()
    ledger.reportLostEvents(base.read)
    expect(lost).toEqual([])
  })

  it('[REG-11] counts the same after the log was trimmed', () => {
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
