import { beforeEach, describe, expect, it } from 'vitest'
import { Freshness } from './freshness.ts'
import type { Position } from './position.ts'

const at = (txid: number, seq = 0): Position => ({ txid: txid.toString(16).padStart(16, '0'), seq })

let now: number
let freshness: Freshness
beforeEach(() => {
  now = 1_000
  freshness = new Freshness(() => now)
  freshness.arrived(at(5))
})

describe('how far a region is behind', () => {
  it('[REG-30] is nothing when it has everything that it heard of', () => {
    expect(freshness.lagMs()).toBe(0)
    freshness.heard(at(5))
    now += 100
    expect(freshness.lagMs()).toBe(0)
  })

  it('[REG-30] is for how long the primary has had what is missing here', () => {
    freshness.heard(at(6))
    now += 100
    freshness.heard(at(7))
    now += 50
    expect(freshness.lagMs()).toBe(150)
    freshness.arrived(at(6))
    expect(freshness.lagMs()).toBe(50)
    freshness.arrived(at(7))
    expect(freshness.lagMs()).toBe(0)
  })

  it('[REG-30] is nothing on the primary', () => {
    freshness.heard(at(6))
    now += 100
    freshness.leads()
    expect(freshness.lagMs()).toBe(0)
    now += 100
    expect(freshness.lagMs()).toBe(0)
    freshness.heard(at(7))
    now += 10
    expect(freshness.lagMs()).toBe(10)
  })

  it('[REG-30] forgets what was lost with a former primary', () => {
    freshness.heard(at(9, 90))
    now += 100
    freshness.heard(at(6, 1_000))
    now += 10
    expect(freshness.lagMs()).toBe(10)
    freshness.arrived(at(6, 1_000))
    expect(freshness.lagMs()).toBe(0)
  })

  it('[REG-30] is known however long it lasts, and what it remembers is bounded', () => {
    for (let txid = 6; txid < 10_000; txid++) {
      freshness.heard(at(txid))
      now += 100
    }
    expect(freshness.lagMs()).toBe(999_400)
    freshness.arrived(at(9_998))
    expect(freshness.lagMs()).toBeLessThanOrEqual(100)
    freshness.arrived(at(9_999))
    expect(freshness.lagMs()).toBe(0)
  })
})
