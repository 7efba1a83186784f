import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LeaderBelief } from './leader-belief.ts'
import type { Leader } from './litefs.ts'

const self: Leader = { is: 'self' }
const nobody: Leader = { is: 'nobody' }
const ist: Leader = { is: 'other', url: 'http://ist' }
const fra: Leader = { is: 'other', url: 'http://fra' }

let changes: Leader[]
let belief: LeaderBelief
beforeEach(() => {
  vi.useFakeTimers()
  changes = []
  belief = new LeaderBelief((leader) => changes.push(leader))
})
afterEach(() => vi.useRealTimers())

describe('who leads', () => {
  it('[REG-02] is believed at once when this region begins or ends to', () => {
    for (const leader of [ist, self, nobody, self, fra]) belief.told(leader)
    expect(changes).toEqual([ist, self, nobody, self, fra])
  })

  it('[REG-02] stays the region that cannot be reached, while LiteFS names it and takes that back in turns', () => {
    belief.told(ist)
    for (let i = 0; i < 40; i++) {
      belief.told(i % 2 ? ist : nobody)
      vi.advanceTimersByTime(250)
    }
    expect(changes).toEqual([ist])
  })

  it('[REG-02] is nobody once LiteFS has named nobody for a moment', () => {
    belief.told(ist)
    belief.told(nobody)
    expect(belief.leader()).toEqual(ist)
    vi.runAllTimers()
    expect(belief.leader()).toEqual(nobody)
    expect(changes).toEqual([ist, nobody])
  })

  it('is told once, and not at all after the end', () => {
    for (const leader of [ist, ist, self, self, ist, nobody]) belief.told(leader)
    belief.close()
    vi.runAllTimers()
    expect(changes).toEqual([ist, self, ist])
  })
})
