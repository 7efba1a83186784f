import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPresenceCluster, type PresenceCluster, type PresenceTab } from '../testing/fixtures/presence-cluster.ts'

let regions: PresenceCluster
beforeEach(() => {
  vi.useFakeTimers()
  regions = createPresenceCluster(['bir', 'iki', 'üç'])
})
afterEach(() => vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTime(ms)
/** Longer than a region takes to tell the others who is there, and shorter than an older connection has to answer. */
const settle = () => pass(400)
const at = (name: string) => regions.region(name)
const isTold = (tab: PresenceTab) => tab.receivedPayloads('duplicateConnection').length > 0
const isResolved = (tab: PresenceTab) => tab.receivedPayloads('duplicateConnectionResolved').length > 0

/** Somebody's older connection in one region, which has answered, and the newer one in another. */
function twice(): { older: PresenceTab; newer: PresenceTab } {
  const older = at('bir').connectTab(1)
  settle()
  const newer = at('iki').connectTab(1)
  settle()
  older.pong()
  settle()
  return { older, newer }
}

describe('a second connection in another region', () => {
  it('[REG-21] is told of the older one when that answers, and nobody else hears of it', () => {
    const bystander = at('bir').connectTab(2)
    const older = at('bir').connectTab(1)
    settle()
    const newer = at('iki').connectTab(1)
    settle()
    expect([older.transport.pingCount, bystander.transport.pingCount]).toEqual([1, 0])
    expect(isTold(newer)).toBe(false)
    older.pong()
    settle()
    expect([newer, older, bystander].map(isTold)).toEqual([true, false, false])
    expect([newer, older].map(({ transport }) => transport.closeCode)).toEqual([null, null])
  })

  it('[REG-21] hears nothing when the older one answers too late, or never', () => {
    const older = at('bir').connectTab(1)
    settle()
    const newer = at('iki').connectTab(1)
    pass(1_500)
    older.pong()
    settle()
    expect(isTold(newer)).toBe(false)
  })

  it('[REG-21] replaces the older one silently when it is the same tab', () => {
    const older = at('bir').connectTab(1, { tabId: 'sekme' })
    const otherTab = at('bir').connectTab(1, { tabId: 'başka' })
    settle()
    const newer = at('iki').connectTab(1, { tabId: 'sekme' })
    settle()
    expect([older, otherTab, newer].map(({ transport }) => transport.closeCode)).toEqual([4409, null, null])
    expect(older.receivedPayloads('forceDisconnect')).toEqual([])
  })

  it('[REG-21] ends the others in all regions when the person goes on with it, and nobody else', () => {
    const bystander = at('bir').connectTab(2)
    const third = at('üç').connectTab(1)
    const { older, newer } = twice()
    at('iki').duplicates.takeOver(newer.connection)
    settle()
    for (const tab of [older, third]) {
      expect(tab.receivedPayloads('forceDisconnect')).toEqual([{ message: 'Oturumunuz başka bir yerde devam ediyor.' }])
      expect(tab.transport.closeCode).toBe(4409)
    }
    expect([newer, bystander].map(({ transport }) => transport.closeCode)).toEqual([null, null])
    expect(isResolved(newer)).toBe(true)
    expect(bystander.receivedPayloads('forceDisconnect')).toEqual([])
  })

  it('[REG-21] may go on when the other one has left, or its region is gone, and not before', () => {
    for (const end of [(older: PresenceTab) => older.disconnect(), () => regions.buses.expire('bir')]) {
      regions = createPresenceCluster(['bir', 'iki', 'üç'])
      const { older, newer } = twice()
      const third = at('üç').connectTab(1)
      settle()
      end(older)
      settle()
      expect(isResolved(newer)).toBe(false)
      third.disconnect()
      settle()
      expect(isResolved(newer)).toBe(true)
    }
  })

  it('[REG-21] is noticed later when the regions could not reach each other as it came', () => {
    const older = at('bir').connectTab(1)
    settle()
    regions.buses.disconnect('bir')
    const newer = at('iki').connectTab(1)
    pass(5_000)
    expect([older, newer].map(({ transport }) => transport.pingCount)).toEqual([0, 0])
    regions.buses.connect('bir')
    settle()
    older.pong()
    settle()
    expect([older, newer].map(isTold)).toEqual([false, true])
  })

  it('[REG-21] that comes at the same moment as one elsewhere: one of the two counts as the older, and stays', () => {
    const tabs = ['bir', 'iki', 'üç'].map((name) => at(name).connectTab(1))
    settle()
    for (const tab of tabs) tab.pong()
    settle()
    expect(tabs.filter(isTold)).toHaveLength(2)
    const sameTab = ['bir', 'iki', 'üç'].map((name) => at(name).connectTab(2, { tabId: 'sekme' }))
    settle()
    expect(sameTab.filter(({ transport }) => transport.closeCode === null)).toHaveLength(1)
  })

  it('[REG-21] counts with those elsewhere: the oldest go when there are too many', () => {
    const there = Array.from({ length: 10 }, () => at('bir').connectTab(1))
    const stranger = at('bir').connectTab(2)
    pass(1_000)
    const here = Array.from({ length: 10 }, () => at('iki').connectTab(1))
    pass(1_000)
    expect(there.map(({ transport }) => transport.closeCode)).toEqual([...Array(4).fill(4409), ...Array(6).fill(null)])
    expect([...here, stranger].every(({ transport }) => transport.closeCode === null)).toBe(true)
  })

  it('[REG-21] takes what makes no sense for nothing', () => {
    const tab = at('iki').connectTab(1)
    const stray = regions.buses.busOf('bir')
    for (const topic of ['duplicates.probe', 'duplicates.probeAnswer', 'duplicates.takeOver']) {
      for (const payload of [null, 'x', [], [{}], { userId: 1 }, { userId: '1', at: 1e15, connection: {} }]) {
        stray.send('all', topic, payload)
      }
    }
    stray.send('all', 'duplicates.probeAnswer', { userId: 2, connection: tab.connection.id })
    stray.send('all', 'duplicates.takeOver', { userId: 2, at: Date.now() + 1e6 })
    settle()
    expect(tab.transport.closeCode).toBeNull()
    expect(isTold(tab)).toBe(false)
  })

  it('[REG-21] costs nothing where people are here once', () => {
    for (let id = 1; id <= 200; id++) at('bir').connectTab(id, { ignoresEvents: true })
    settle()
    expect(regions.buses.sentMessages.filter(({ topic }) => topic.startsWith('duplicates'))).toEqual([])
  })
})
