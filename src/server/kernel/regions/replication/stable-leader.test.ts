import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Leader } from '../../database/leader.ts'
import { StableLeader } from './stable-leader.ts'

const self: Leader = { is: 'self' }
const nobody: Leader = { is: 'nobody' }
const ist: Leader = { is: 'other', url: 'http://ist' }
const fra: Leader = { is: 'other', url: 'http://fra' }

let changes: Leader[]
let stableLeader: StableLeader
beforeEach(() => {
  vi.useFakeTimers()
  changes = []
  stableLeader = new StableLeader((leader) => changes.push(leader))
})
afterEach(() => vi.useRealTimers())

describe('the stable leader', () => {
  it('[REG-02] changes at once when this region gains or loses the lease', () => {
    for (const leader of [ist, self, nobody, self, fra]) stableLeader.update(leader)
    expect(changes).toEqual([ist, self, nobody, self, fra])
  })

  it('[REG-02] keeps an unreachable primary while LiteFS alternates', () => {
    stableLeader.update(ist)
    for (let i = 0; i < 40; i++) {
      stableLeader.update(i % 2 ? ist : nobody)
      vi.advanceTimersByTime(250)
    }
    expect(changes).toEqual([ist])
  })

  it('[REG-02] is nobody once LiteFS has named nobody for 1 s', () => {
    stableLeader.update(ist)
    stableLeader.update(nobody)
    expect(stableLeader.leader()).toEqual(ist)
    vi.runAllTimers()
    expect(stableLeader.leader()).toEqual(nobody)
    expect(changes).toEqual([ist, nobody])
  })

  it('notifies once, and never after close', () => {
    for (const leader of [ist, ist, self, self, ist, nobody]) stableLeader.update(leader)
    stableLeader.close()
    vi.runAllTimers()
    expect(changes).toEqual([ist, self, ist])
  })
})
