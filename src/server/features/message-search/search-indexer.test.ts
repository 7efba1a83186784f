import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refuse } from '../../../shared/protocol/refusals.ts'
import type { Execute } from '../../kernel/database/commands/define-command.ts'
import type { LoggedEvent } from '../../kernel/database/events/logged-event.ts'
import { SearchIndexer } from './search-indexer.ts'

const STEP_MS = 2

/** Messages that are committed and not indexed. */
let unindexed: number
/** Indexed messages of each step. */
let steps: number[]
let refuses: boolean
let indexer: SearchIndexer

const execute = (async () => {
  if (refuses) return refuse('Busy')
  await new Promise((resolve) => setTimeout(resolve, STEP_MS))
  const count = Math.min(100, unindexed)
  unindexed -= count
  steps.push(count)
  return { more: count === 100 }
}) as unknown as Execute // the indexer calls it with indexMessages only

const message = { name: 'message' } as LoggedEvent // onCommit reads nothing else
const commit = (count: number) => {
  unindexed += count
  indexer.onCommit(Array.from({ length: count }, () => message))
}

beforeEach(() => {
  vi.useFakeTimers()
  unindexed = 0
  steps = []
  refuses = false
  indexer = new SearchIndexer(execute)
})
afterEach(() => {
  indexer.close()
  vi.useRealTimers()
})

describe('the search indexer', () => {
  it('indexes a message at once when idle, and the next ones within a second', async () => {
    await vi.advanceTimersByTimeAsync(10_000)
    commit(1)
    await vi.advanceTimersByTimeAsync(5)
    expect(steps).toEqual([1])
    commit(1)
    commit(2)
    await vi.advanceTimersByTimeAsync(900)
    expect(steps).toEqual([1])
    await vi.advanceTimersByTimeAsync(200)
    expect(steps).toEqual([1, 3])
  })

  it('makes larger steps while more messages arrive, at the latest every five seconds', async () => {
    await vi.advanceTimersByTimeAsync(10_000)
    for (let passedMs = 0; passedMs < 20_000; passedMs += 100) {
      commit(passedMs % 500 === 0 ? 3 : 1)
      await vi.advanceTimersByTimeAsync(100)
    }
    await vi.advanceTimersByTimeAsync(6_000)
    expect(unindexed).toBe(0)
    expect(steps.length).toBeLessThan(10)
  })

  it('indexes as soon as a full step waits', async () => {
    await vi.advanceTimersByTimeAsync(10_000)
    commit(1)
    await vi.advanceTimersByTimeAsync(5)
    commit(250)
    await vi.advanceTimersByTimeAsync(50)
    expect(steps).toEqual([1, 100, 100])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(steps).toEqual([1, 100, 100, 50])
  })

  it('indexes a backlog whole, for at most a quarter of the time', async () => {
    await vi.advanceTimersByTimeAsync(10_000)
    unindexed = 1_000
    indexer.indexBacklog()
    await vi.advanceTimersByTimeAsync(30)
    expect(steps.length).toBeLessThanOrEqual(5)
    await vi.advanceTimersByTimeAsync(1_000)
    expect([unindexed, steps.length]).toEqual([0, 11])
  })

  it('indexes messages whose commits it did not see with the next one that it sees', async () => {
    await vi.advanceTimersByTimeAsync(10_000)
    unindexed = 330
    commit(1)
    await vi.advanceTimersByTimeAsync(100)
    expect(steps).toEqual([100, 100, 100, 31])
  })

  it('goes on after a refusal with the next message, and misses none', async () => {
    refuses = true
    commit(230)
    await vi.advanceTimersByTimeAsync(10_000)
    refuses = false
    commit(1)
    await vi.advanceTimersByTimeAsync(10_000)
    expect([unindexed, steps]).toEqual([0, [100, 100, 31]])
  })
})
