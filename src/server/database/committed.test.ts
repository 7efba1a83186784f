import { readFileSync } from 'node:fs'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/database.ts'
import { Reigns } from './committed.ts'
import { lastUsedSeq, leapSequence } from './events.ts'
import { WriterTransaction } from './transact.ts'

let base: TestDatabase
let lost: number[]
let warned: unknown[]
let reigns: Reigns
const log = pino({ level: 'warn' }, { write: (line: string) => void warned.push(JSON.parse(line)) })
const open = () => new Reigns({ file: `${base.file}.reigns`, log, onLost: (events) => lost.push(events) })
beforeEach(async () => {
  base = await openTestDatabase()
  lost = []
  warned = []
  reigns = open()
})
afterEach(() => {
  reigns.close()
  base.close()
})

/** As the primary's writer does at the beginning of each reign, here or in another region. */
function leap(more = 0): number {
  const tx = new WriterTransaction(base.db)
  tx.begin(base.clock.now)
  leapSequence(tx, { more })
  tx.commit()
  return lastUsedSeq(base.read)
}

/** One batch with so many events, as the primary's writer commits it. Answers the last one's number. */
function emit(count: number): number {
  const tx = new WriterTransaction(base.db)
  tx.begin(base.clock.now)
  for (let i = 0; i < count; i++) {
    tx.emit({ stream: 'user:1', name: 'forceDisconnect', payload: { message: 'x' } })
  }
  tx.commit()
  return tx.committedSeq()
}

/** This region leads, and commits batches of so many events. */
function reign(...batches: number[]): void {
  reigns.begin(base.read, { txid: '', seq: leap(1000) })
  for (const count of batches) reigns.committed({ txid: '', seq: emit(count) })
}

/** The site's history goes on from here as if nothing after it had happened; LiteFS puts it in the place of ours. */
function forget(afterSeq: number): void {
  base.db.prepare('delete from event where seq > ?').run(afterSeq)
  base.db.prepare('delete from eventGap where toSeq > ?').run(afterSeq)
}

describe('what a former primary has lost', () => {
  it('[REG-11] is nothing after a graceful handover, and what was noted is forgotten', () => {
    reign(3, 2)
    leap()
    emit(4)
    reigns.check(base.read)
    expect([lost, warned]).toEqual([[], []])
    expect(readFileSync(`${base.file}.reigns`, 'utf8')).toBe('')
  })

  it('[REG-11] is counted and logged once, whether or not the process ended in between', () => {
    reign(3, 2)
    const arrived = lastUsedSeq(base.read) - 2
    reigns.close()
    reigns = open()
    reigns.check(base.read)
    expect(lost).toEqual([])

    forget(arrived)
    leap(2000)
    emit(1)
    reigns.check(base.read)
    reigns.check(base.read)
    expect(lost).toEqual([2])
    expect(warned).toMatchObject([{ level: 40, events: 2 }])
    reigns.close()
    reigns = open()
    reigns.check(base.read)
    expect(lost).toEqual([2])
  })

  it('[REG-11] is seen where nobody leads yet and the log just ends earlier', () => {
    reign(5)
    forget(lastUsedSeq(base.read) - 1)
    reigns.check(base.read)
    expect(lost).toEqual([1])
  })

  it.each([0, 5000])(
    '[REG-11] is all of a reign whose beginning did not arrive, where the next leapt by %i more',
    (more) => {
      emit(1)
      reign(5)
      forget(1)
      leap(more)
      emit(9)
      reigns.check(base.read)
      expect(lost).toEqual([5])
    },
  )

  it('[REG-11] is counted over several reigns in a row that were all lost', () => {
    reign(2)
    const arrived = lastUsedSeq(base.read) - 1
    reign(3)
    reign(4)
    forget(arrived)
    leap(3 * 2 ** 20)
    reigns.check(base.read)
    expect(lost).toEqual([1 + 3 + 4])
  })

  it('[REG-11] is told when this region leads again, which goes on counting its new reign', () => {
    reign(3)
    forget(lastUsedSeq(base.read) - 3)
    reign(2)
    expect(lost).toEqual([3])
    forget(lastUsedSeq(base.read) - 1)
    reigns.check(base.read)
    expect(lost).toEqual([3, 1])
  })

  it('[REG-11] is nothing where this region leads again with all that it had', () => {
    reign(3)
    reign(2)
    leap()
    reigns.check(base.read)
    expect(lost).toEqual([])
  })

  it('[REG-11] does not depend on rows, which are trimmed: neither more nor less of it', () => {
    reign(5)
    const arrived = lastUsedSeq(base.read) - 2
    forget(arrived)
    leap(1000)
    base.clock.now += 25 * 60 * 60 * 1000
    emit(2)
    expect(base.run({ command: 'trimLog' }).answer).toEqual({ removed: 3 })
    reigns.check(base.read)
    expect(lost).toEqual([2])

    reign(5)
    leap()
    base.clock.now += 25 * 60 * 60 * 1000
    emit(1)
    expect(base.run({ command: 'trimLog' }).answer).toEqual({ removed: 7 })
    reigns.check(base.read)
    expect(lost).toEqual([2])
  })
})
