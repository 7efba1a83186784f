import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createPresenceCluster,
  type PresenceCluster,
  type PresenceTab,
} from '../../testing/fixtures/presence-cluster.ts'

let regions: PresenceCluster
beforeEach(() => {
  vi.useFakeTimers()
  regions = createPresenceCluster(['bir', 'iki', 'üç'])
})
afterEach(() => vi.useRealTimers())

const advance = (ms: number) => vi.advanceTimersByTime(ms)
/** Longer than presence needs to reach the other regions, and shorter than the time limit of a probe. */
const syncRegions = () => advance(400)
const at = (name: string) => regions.region(name)
const isNotified = (tab: PresenceTab) => tab.receivedPayloads('duplicateConnection').length > 0
const isResolved = (tab: PresenceTab) => tab.receivedPayloads('duplicateConnectionResolved').length > 0

/** A user's older connection in one region, which answered its probe, and the newer one in another. */
function connectTwice(): { older: PresenceTab; newer: PresenceTab } {
  const older = at('bir').connectTab(1)
  syncRegions()
  const newer = at('iki').connectTab(1)
  syncRegions()
  older.pong()
  syncRegions()
  return { older, newer }
}

describe('a second connection in another region', () => {
  it('[REG-21] is notified of the older one when that answers, and no other connection is', () => {
    const bystander = at('bir').connectTab(2)
    const older = at('bir').connectTab(1)
    syncRegions()
    const newer = at('iki').connectTab(1)
    syncRegions()
    expect([older.transport.pingCount, bystander.transport.pingCount]).toEqual([1, 0])
    expect(isNotified(newer)).toBe(false)
    older.pong()
    syncRegions()
    expect([newer, older, bystander].map(isNotified)).toEqual([true, false, false])
    expect([newer, older].map(({ transport }) => transport.closeCode)).toEqual([null, null])
  })

  it('[REG-21] is not notified when the older one answers too late or never', () => {
    const older = at('bir').connectTab(1)
    syncRegions()
    const newer = at('iki').connectTab(1)
    advance(1_500)
    older.pong()
    syncRegions()
    expect(isNotified(newer)).toBe(false)
  })

  it('[REG-21] replaces the older one silently when it is the same tab', () => {
    const older = at('bir').connectTab(1, { tabId: 'sekme' })
    const otherTab = at('bir').connectTab(1, { tabId: 'başka' })
    syncRegions()
    const newer = at('iki').connectTab(1, { tabId: 'sekme' })
    syncRegions()
    expect([older, otherTab, newer].map(({ transport }) => transport.closeCode)).toEqual([4409, null, null])
    expect(older.receivedPayloads('forceDisconnect')).toEqual([])
  })

  it('[REG-21] closes the others of its user in all regions when the user continues on it', () => {
    const bystander = at('bir').connectTab(2)
    const third = at('üç').connectTab(1)
    const { older, newer } = connectTwice()
    at('iki').duplicates.takeOver(newer.connection)
    syncRegions()
    for (const tab of [older, third]) {
      expect(tab.receivedPayloads('forceDisconnect')).toEqual([{ message: 'Oturumun başka bir yerde devam ediyor.' }])
      expect(tab.transport.closeCode).toBe(4409)
    }
    expect([newer, bystander].map(({ transport }) => transport.closeCode)).toEqual([null, null])
    expect(isResolved(newer)).toBe(true)
    expect(bystander.receivedPayloads('forceDisconnect')).toEqual([])
  })

  it('[REG-21] is released only when the other one has left or its region is gone', () => {
    for (const end of [(older: PresenceTab) => older.disconnect(), () => regions.buses.expire('bir')]) {
      regions = createPresenceCluster(['bir', 'iki', 'üç'])
      const { older, newer } = connectTwice()
      const third = at('üç').connectTab(1)
      syncRegions()
      end(older)
      syncRegions()
      expect(isResolved(newer)).toBe(false)
      third.disconnect()
      syncRegions()
      expect(isResolved(newer)).toBe(true)
    }
  })

  it('[REG-21] is released once, however many others come and go unnoticed after that', () => {
    const { older, newer } = connectTwice()
    older.disconnect()
    syncRegions()
    at('üç').connectTab(1).disconnect()
    syncRegions()
    expect(newer.receivedPayloads('duplicateConnectionResolved')).toHaveLength(1)
  })

  it('[REG-21] is notified later when the regions were disconnected at its hello', () => {
    const older = at('bir').connectTab(1)
    syncRegions()
    regions.buses.disconnect('bir')
    const newer = at('iki').connectTab(1)
    advance(5_000)
    expect([older, newer].map(({ transport }) => transport.pingCount)).toEqual([0, 0])
    regions.buses.connect('bir')
    syncRegions()
    older.pong()
    syncRegions()
    expect([older, newer].map(isNotified)).toEqual([false, true])
  })

  it('[REG-21] with the same hello time as one elsewhere: exactly one counts as the oldest and stays', () => {
    const tabs = ['bir', 'iki', 'üç'].map((name) => at(name).connectTab(1))
    syncRegions()
    for (const tab of tabs) tab.pong()
    syncRegions()
    expect(tabs.filter(isNotified)).toHaveLength(2)
    const sameTab = ['bir', 'iki', 'üç'].map((name) => at(name).connectTab(2, { tabId: 'sekme' }))
    syncRegions()
    expect(sameTab.filter(({ transport }) => transport.closeCode === null)).toHaveLength(1)
  })

  it('[REG-21] counts together with those of other regions: the oldest beyond 16 are closed', () => {
    const earlier = Array.from({ length: 10 }, () => at('bir').connectTab(1))
    const stranger = at('bir').connectTab(2)
    advance(1_000)
    const later = Array.from({ length: 10 }, () => at('iki').connectTab(1))
    advance(1_000)
    expect(earlier.map(({ transport }) => transport.closeCode)).toEqual([
      ...Array(4).fill(4409),
      ...Array(6).fill(null),
    ])
    expect([...later, stranger].every(({ transport }) => transport.closeCode === null)).toBe(true)
  })

  it('[REG-21] ignores malformed messages of other regions', () => {
    const tab = at('iki').connectTab(1)
    const stray = regions.buses.busOf('bir')
    for (const topic of ['duplicates.probe', 'duplicates.probeAnswer', 'duplicates.takeOver']) {
      for (const payload of [null, 'x', [], [{}], { userId: 1 }, { userId: '1', at: 1e15, connection: {} }]) {
        stray.send('all', topic, payload)
      }
    }
    stray.send('all', 'duplicates.probeAnswer', { userId: 2, connection: tab.connection.id })
    stray.send('all', 'duplicates.takeOver', { userId: 2, at: Date.now() + 1e6 })
    syncRegions()
    expect(tab.transport.closeCode).toBeNull()
    expect(isNotified(tab)).toBe(false)
  })

  it('[REG-21] causes no bus messages for users with one connection', () => {
    for (let id = 1; id <= 200; id++) at('bir').connectTab(id, { ignoresEvents: true })
    syncRegions()
    expect(regions.buses.sentMessages.filter(({ topic }) => topic.startsWith('duplicates'))).toEqual([])
  })
})
