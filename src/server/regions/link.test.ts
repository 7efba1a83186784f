import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LinkedSites } from '../testing/linked-regions.ts'

describe('the link', () => {
  let sites: LinkedSites
  beforeEach(() => {
    vi.useFakeTimers()
    sites = new LinkedSites()
  })
  afterEach(() => vi.useRealTimers())

  it('[REG-16] comes about', () => {
    const [a, b] = [sites.start('ist'), sites.start('fra')]
    a.hub.open(true)
    b.dialler.dial(a.url)
    vi.advanceTimersByTime(100)
    expect(b.dialler.isLinked()).toBe(true)
    expect(b.bus.others()).toEqual(['ist'])
    expect(a.bus.others()).toEqual(['fra'])
    vi.advanceTimersByTime(60_000)
    expect(b.dialled).toHaveLength(1)
    expect(b.dialler.roundTripMs()).toBe(10)
  })
})
