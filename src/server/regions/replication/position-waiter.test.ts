import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Position } from './position.ts'
import { PositionWaiter } from './position-waiter.ts'

const at = (txid: number, seq: number): Position => ({ txid: txid.toString(16).padStart(16, '0'), seq })

let local: Position
let reads: number
let waiter: PositionWaiter
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] })
  local = at(5, 50)
  reads = 0
  waiter = new PositionWaiter(() => {
    reads++
    return local
  })
})
afterEach(() => vi.useRealTimers())

function arrive(position: Position): void {
  local = position
  waiter.resolveReached()
}

describe('waiting for what a region does not have yet', () => {
  it('[REG-06] is over at once when it is there', async () => {
    expect(await waiter.waitFor(at(5, 50), 0)).toBe(true)
    expect(await waiter.waitFor(at(4, 50), 0)).toBe(true)
    expect(waiter.waitingCount()).toBe(0)
    expect(vi.getTimerCount()).toBe(1) // the end of this turn
  })

  it('[REG-06] is over when it arrives, for each who waits for that', async () => {
    const order: number[] = []
    for (const txid of [8, 6, 7]) void waiter.waitFor(at(txid, 50), 1_000).then(() => order.push(txid))
    expect(waiter.waitingCount()).toBe(3)
    arrive(at(6, 50))
    await Promise.resolve()
    expect(order).toEqual([6])
    arrive(at(9, 50))
    await Promise.resolve()
    expect(order).toEqual([6, 8, 7])
    vi.runAllTimers()
    expect([waiter.waitingCount(), waiter.timeoutCount(), vi.getTimerCount()]).toEqual([0, 0, 0])
  })

  it('[REG-06] does not take a longer history that was lost for it', async () => {
    // The former primary had come to transaction 5; the new one began its reign with 4, and a leap of the log.
    const waiting = waiter.waitFor(at(4, 1_000_050), 1_000)
    arrive(at(5, 51))
    expect(waiter.waitingCount()).toBe(1)
    arrive(at(4, 1_000_050))
    expect(await waiting).toBe(true)
  })

  it('[REG-06] ends at its deadline, and is counted', async () => {
    const waiting = waiter.waitFor(at(6, 50), 1_000)
    vi.advanceTimersByTime(999)
    expect(waiter.waitingCount()).toBe(1)
    vi.advanceTimersByTime(1)
    expect(await waiting).toBe(false)
    expect([waiter.waitingCount(), waiter.timeoutCount()]).toEqual([0, 1])
  })

  it('looks once more at the deadline: nobody may have told', async () => {
    const waiting = waiter.waitFor(at(6, 50), 1_000)
    local = at(6, 50)
    vi.runAllTimers()
    expect(await waiting).toBe(true)
    expect(waiter.timeoutCount()).toBe(0)
  })

  it('looks once a turn of the event loop, however many ask, and again in the next', async () => {
    for (let i = 0; i < 50; i++) void waiter.waitFor(at(6 + i, 50), 1_000)
    expect(reads).toBe(1)
    vi.advanceTimersByTime(0)
    local = at(6, 50)
    expect(await waiter.waitFor(at(6, 50), 1_000)).toBe(true)
    expect(reads).toBe(2)
  })

  it('costs nothing while nobody waits', () => {
    arrive(at(6, 50))
    expect(reads).toBe(0)
  })
})
