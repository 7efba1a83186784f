import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const MAX_WAIT_MS = 10_000

describe('[ACC-90] FairQueue', () => {
  let queue: FairQueue
  /** Names of the tasks in the order in which they were admitted, with `!` when refused. */
  let settled: string[]
  beforeEach(() => {
    vi.useFakeTimers()
    queue = new FairQueue({ maxWaiting: 6, maxWaitMs: MAX_WAIT_MS })
    settled = []
  })
  afterEach(() => vi.useRealTimers())

  /** A task such as `a1`, which waits under the key `a`, and under `account` if there is one. */
  const wait = (name: string, account?: string) => {
    const keys = [{ key: `address ${name[0]}`, maxWaiting: 4 }]
    if (account) keys.push({ key: `account ${account}`, maxWaiting: 2 })
    void queue.wait(keys).then((isAdmitted) => settled.push(isAdmitted ? name : `!${name}`))
  }
  const admit = async (count: number) => {
    for (let i = 0; i < count; i++) queue.admitNext()
    await vi.advanceTimersByTimeAsync(0)
  }

  it('serves a key with one task before the second task of another key', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']) wait(name)
    await admit(6)
    expect(settled).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', 'a4'])
  })

  it('is fair by account when the tasks of an account come from many addresses', async () => {
    wait('a1', 'kaptan')
    wait('b1', 'kaptan')
    wait('c1', 'reis')
    await admit(3)
    expect(settled).toEqual(['a1', 'c1', 'b1'])
  })

  it('gives a key that comes again and again no more than its turn', async () => {
    wait('a1')
    wait('b1')
    wait('b2')
    await admit(1)
    wait('a2')
    await admit(3)
    expect(settled).toEqual(['a1', 'b1', 'b2', 'a2'])
  })

  it('refuses the fifth task of an address and the third of an account, until one of them has gone', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) wait(name)
    await admit(1)
    expect(settled).toEqual(['!a5', 'a1'])
    wait('a6')
    await admit(4)
    expect(settled).toEqual(['!a5', 'a1', 'a2', 'a3', 'a4', 'a6'])
    for (const name of ['b1', 'c1', 'd1']) wait(name, 'kaptan')
    await admit(2)
    expect(settled.slice(6)).toEqual(['!d1', 'b1', 'c1'])
  })

  it('refuses the last task of the busiest key when it is full, and a new one that would be last itself', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) wait(name)
    await vi.advanceTimersByTimeAsync(0)
    expect(settled).toEqual(['!a4'])
    wait('b3')
    await vi.advanceTimersByTimeAsync(0)
    expect(settled).toEqual(['!a4', '!b3'])
    expect(queue.length).toBe(6)
  })

  it('refuses a task that has waited for 10 seconds, and forgets it', async () => {
    wait('a1')
    await vi.advanceTimersByTimeAsync(MAX_WAIT_MS - 1)
    expect(settled).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(settled).toEqual(['!a1'])
    expect([queue.length, queue.admitNext()]).toEqual([0, false])
  })
})
