import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Position } from '../../database/position.ts'
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

describe('the position waiter', () => {
  it('[REG-06] resolves at once when the position is reached', async () => {
    expect(await waiter.waitFor(at(5, 50), 0)).toBe(true)
    expect(await waiter.waitFor(at(4, 50), 0)).toBe(true)
    expect(waiter.waitingCount()).toBe(0)
    expect(vi.getTimerCount()).toBe(1) // the end of this turn
  })

  it('[REG-06] resolves every waiter whose position arrives', async () => {
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

  it('[REG-06] does not count a longer lost history as reached', async () => {
    // The former primary was at transaction 5; the new one began its term at 4, with a skip of the log.
    const waiting = waiter.waitFor(at(4, 1_000_050), 1_000)
    arrive(at(5, 51))
    expect(waiter.waitingCount()).toBe(1)
    arrive(at(4, 1_000_050))
    expect(await waiting).toBe(true)
  })

  it('[REG-06] times out at its deadline, and counts it', async () => {
    const waiting = waiter.waitFor(at(6, 50), 1_000)
    vi.advanceTimersByTime(999)
    expect(waiter.waitingCount()).toBe(1)
    vi.advanceTimersByTime(1)
    expect(await waiting).toBe(false)
    expect([waiter.waitingCount(), waiter.timeoutCount()]).toEqual([0, 1])
  })

  it('reads the position once more at the deadline', async () => {
    const waiting = waiter.waitFor(at(6, 50), 1_000)
    local = at(6, 50)
    vi.runAllTimers()
    expect(await waiting).toBe(true)
    expect(waiter.timeoutCount()).toBe(0)
  })

  it('reads the position once a turn of the event loop', async () => {
    for (let i = 0; i < 50; i++) void waiter.waitFor(at(6 + i, 50), 1_000)
    expect(reads).toBe(1)
    vi.advanceTimersByTime(0)
    local = at(6, 50)
    expect(await waiter.waitFor(at(6, 50), 1_000)).toBe(true)
    expect(reads).toBe(2)
  })

  it('reads nothing without waiters', () => {
    arrive(at(6, 50))
    expect(reads).toBe(0)
  })
})
