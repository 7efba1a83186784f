import { beforeEach, describe, expect, it } from 'vitest'
import type { Position } from '../../database/position.ts'
import { ReplicationLag } from './replication-lag.ts'

const at = (txid: number, seq = 0): Position => ({ txid: txid.toString(16).padStart(16, '0'), seq })

let now: number
let lag: ReplicationLag
beforeEach(() => {
  now = 1_000
  lag = new ReplicationLag(() => now)
  lag.recordLocalPosition(at(5))
})

describe('the replication lag', () => {
  it('[REG-30] is 0 when every reported position has arrived', () => {
    expect(lag.lagMs()).toBe(0)
    lag.recordPrimaryPosition(at(5))
    now += 100
    expect(lag.lagMs()).toBe(0)
  })

  it('[REG-30] is the age of the oldest missing position', () => {
    lag.recordPrimaryPosition(at(6))
    now += 100
    lag.recordPrimaryPosition(at(7))
    now += 50
    expect(lag.lagMs()).toBe(150)
    lag.recordLocalPosition(at(6))
    expect(lag.lagMs()).toBe(50)
    lag.recordLocalPosition(at(7))
    expect(lag.lagMs()).toBe(0)
  })

  it('[REG-30] is 0 on the primary', () => {
    lag.recordPrimaryPosition(at(6))
    now += 100
    lag.reset()
    expect(lag.lagMs()).toBe(0)
    now += 100
    expect(lag.lagMs()).toBe(0)
    lag.recordPrimaryPosition(at(7))
    now += 10
    expect(lag.lagMs()).toBe(10)
  })

  it('[REG-30] drops positions that were lost with a former primary', () => {
    lag.recordPrimaryPosition(at(9, 90))
    now += 100
    lag.recordPrimaryPosition(at(6, 1_000))
    now += 10
    expect(lag.lagMs()).toBe(10)
    lag.recordLocalPosition(at(6, 1_000))
    expect(lag.lagMs()).toBe(0)
  })

  it('[REG-30] keeps a long lag with a bounded number of samples', () => {
    for (let txid = 6; txid < 10_000; txid++) {
      lag.recordPrimaryPosition(at(txid))
      now += 100
    }
    expect(lag.lagMs()).toBe(999_400)
    lag.recordLocalPosition(at(9_998))
    expect(lag.lagMs()).toBeLessThanOrEqual(100)
    lag.recordLocalPosition(at(9_999))
    expect(lag.lagMs()).toBe(0)
  })
})
