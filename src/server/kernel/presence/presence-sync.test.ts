import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import {
  createPresenceCluster,
  type PresenceCluster,
  type PresenceTab,
} from '../../testing/fixtures/presence-cluster.ts'

const NAMES = ['bir', 'iki', 'üç']
const EVERYTHING = ['users-in-room', 'user-joined', 'user-left', 'userStatusChanged', 'activeUsersForMention'] as const
const FOR_ADMINS = ['activeUsers', 'userJoined', 'userLeft'] as const

let regions: PresenceCluster
beforeEach(() => {
  vi.useFakeTimers()
  regions = createPresenceCluster(NAMES)
  pass(3 * 60_000) // beyond the time in which a resume is believed after a start
})
afterEach(() => vi.useRealTimers())

function pass(ms: number): void {
  vi.advanceTimersByTime(ms)
}
/** Longer than sync window, bus and flush window together, and than the count interval. */
const settle = () => pass(1_500)
const at = (name: string) => regions.region(name)
const names = (people: unknown) => (people as { username: string }[]).map(({ username }) => username)
const story = (tab: PresenceTab) =>
  (['user-joined', 'user-left', 'userStatusChanged'] as const).flatMap((name) =>
    tab.receivedPayloads(name).map((payload) => `${name} ${Object(payload.user).username ?? payload.username}`),
  )
const roomIn = (name: string, roomId = 1) => ({
  count: at(name).presence.roomCount(roomId, null),
  names: names(at(name).presence.listRoom(roomId, null)),
  online: at(name).presence.onlineCount(null),
})

describe('presence in several regions', () => {
  it('[REG-19] [PRES-01] has the same list and count of users in each region', () => {
    at('bir').connectTab(1, { roomId: 1 })
    at('bir').connectTab(2, { roomId: 2 })
    at('iki').connectTab(1, { roomId: 1 })
    at('iki').connectTab(3, { roomId: 1 })
    at('üç').connectTab(4)
    settle()
    for (const name of NAMES) {
      expect(roomIn(name)).toEqual({ count: 2, names: ['kişi1', 'kişi3'], online: 4 })
      expect(roomIn(name, 2).names).toEqual(['kişi2'])
      const { presence } = at(name)
      expect([1, 2, 3, 4, 5].map((id) => presence.isOnline(id, null))).toEqual([true, true, true, true, false])
      expect([1, 2, 3].map((id) => presence.isIn(1, id, null))).toEqual([true, false, true])
      expect(presence.withUser(1, createPerson(9, 'zeki')).total).toBe(3)
    }
    expect(at('iki').presence.onlineUserIds()).toEqual([1, 3])
  })

  it('[PRES-03] corrects a count that a new tab got while somebody was leaving', () => {
    const leaving = at('bir').connectTab(1)
    settle()
    const tab = at('bir').connectTab(2)
    pass(20)
    expect(tab.receivedPayloads('activeUsersCount').at(-1)).toEqual({ count: 2 })
    at('bir').presence.removeConnection(leaving.connection, 'left')
    settle()
    expect(tab.receivedPayloads('activeUsersCount').at(-1)).toEqual({ count: 1 })
  })

  it('[REG-19] [PRES-04] announces each user once, to the members of the room only', () => {
    const watchers = NAMES.map((name, index) => at(name).connectTab(10 + index, { roomId: 1 }))
    const bystanders = NAMES.map((name, index) => at(name).connectTab(20 + index, { roomId: 2 }))
    const passers = NAMES.map((name, index) => at(name).connectTab(30 + index))
    settle()
    for (const tab of [...watchers, ...bystanders, ...passers]) tab.transport.received.length = 0
    const phone = at('bir').connectTab(1, { roomId: 1 })
    pass(700)
    const laptop = at('iki').connectTab(1, { roomId: 1 })
    settle()
    phone.joinRoom(2)
    settle()
    expect(watchers.map(story)).toEqual(NAMES.map(() => ['user-joined kişi1']))
    expect(bystanders.map(story)).toEqual(NAMES.map(() => ['user-joined kişi1']))
    laptop.joinRoom(2)
    settle()
    expect(watchers.map(story)).toEqual(NAMES.map(() => ['user-joined kişi1', 'user-left kişi1']))
    expect(bystanders.map(story)).toEqual(NAMES.map(() => ['user-joined kişi1']))
    for (const tab of passers) expect(EVERYTHING.flatMap((name) => tab.receivedPayloads(name))).toEqual([])
    for (const tab of watchers) expect(FOR_ADMINS.flatMap((name) => tab.receivedPayloads(name))).toEqual([])
  })

  it('[REG-19] [PRES-02] [PRES-03] sends the users of the whole site to root admins, and their number to others', () => {
    const root = at('bir').connectTab(1, { isRootAdmin: true })
    const visitor = at('bir').connectTab(2)
    settle()
    for (const tab of [root, visitor]) tab.transport.received.length = 0
    const other = at('iki').connectTab(3)
    settle()
    other.disconnect()
    pass(6_000)
    expect(names(root.receivedPayloads('userJoined').map(({ user }) => user))).toEqual(['kişi3'])
    expect(root.receivedPayloads('userLeft')).toEqual([{ username: 'kişi3' }])
    expect(visitor.receivedPayloads('activeUsersCount').map(({ count }) => count)).toEqual([3, 2])
    expect(root.receivedPayloads('activeUsersCount')).toEqual([])
    expect(FOR_ADMINS.flatMap((name) => [...visitor.receivedPayloads(name), ...other.receivedPayloads(name)])).toEqual(
      [],
    )
    const second = at('üç').connectTab(4, { isRootAdmin: true })
    settle()
    expect(second.receivedPayloads('activeUsers')).toMatchObject([
      { count: 3, users: [{ id: 1 }, { id: 2 }, { id: 4 }] },
    ])
  })

  it('[REG-19] [PRES-06] shows a broken connection as offline in all regions, and as left after the grace period', () => {
    const watcher = at('üç').connectTab(9, { roomId: 1 })
    const { disconnect } = at('bir').connectTab(1, { roomId: 1 })
    settle()
    watcher.transport.received.length = 0
    disconnect()
    pass(600)
    expect(watcher.receivedPayloads('userStatusChanged')).toEqual([{ username: 'kişi1', isOnline: false }])
    expect(at('iki').presence.isOnline(1, null)).toBe(false)
    expect(watcher.receivedPayloads('user-left')).toEqual([])
    pass(3_500)
    expect(watcher.receivedPayloads('user-left')).toEqual([{ roomId: 1, username: 'kişi1' }])
  })

  it('[REG-19] announces no leave and join when a user moves to another region', () => {
    const watchers = NAMES.map((name, index) => at(name).connectTab(10 + index, { roomId: 1 }))
    const phone = at('bir').connectTab(1, { roomId: 1 })
    settle()
    for (const tab of watchers) tab.transport.received.length = 0
    phone.disconnect()
    pass(2_000)
    at('iki').connectTab(1, { roomId: 1 })
    pass(10_000)
    const offAndOn = ['userStatusChanged kişi1', 'userStatusChanged kişi1']
    expect(watchers.map(story)).toEqual(NAMES.map(() => offAndOn))
    for (const name of NAMES) expect(roomIn(name)).toMatchObject({ count: 4, online: 4 })
  })

  it('[REG-19] [PRES-08] sends few messages when 5,000 users enter in one region at once', () => {
    const watcher = at('iki').connectTab(9_999, { roomId: 1 })
    settle()
    regions.buses.sentMessages.length = 0
    watcher.transport.received.length = 0
    for (let id = 1; id <= 5_000; id++) at('bir').connectTab(id, { roomId: 1, ignoresEvents: true })
    pass(3_000)
    expect(roomIn('üç')).toMatchObject({ count: 5_001, online: 5_001 })
    expect(watcher.receivedPayloads('users-in-room').at(-1)).toMatchObject({ total: 5_001 })
    expect(watcher.transport.received.length).toBeLessThan(20)
    expect(regions.buses.sentMessages.length).toBeLessThanOrEqual(10)
    // A frame of the link holds 1 MiB.
    expect(Math.max(...regions.buses.sentMessages.map(({ bytes }) => bytes))).toBeLessThan(512 * 1024)
  }, 60_000)
})

describe('a stay in several regions', () => {
  it('[REG-19] continues in another region with the time of the first one', () => {
    const phone = at('bir').connectTab(1, { roomId: 1 })
    pass(60_000)
    phone.disconnect()
    pass(1_000)
    const moved = at('iki').connectTab(1)
    moved.joinRoom(1, true)
    expect(at('iki').presence.roomDwellMs(1, 1)).toBeGreaterThanOrEqual(60_900)
    pass(1_000)
    expect(at('üç').presence.roomDwellMs(1, 1)).toBeGreaterThanOrEqual(61_700)
  })

  it('[REG-19] that was interrupted continues by a resume in another region, for two minutes', () => {
    for (const [userId, awayMs] of [
      [1, 100_000],
      [2, 130_000],
    ] as const) {
      const phone = at('bir').connectTab(userId, { roomId: 1 })
      pass(60_000)
      phone.disconnect()
      pass(awayMs)
      at('iki').connectTab(userId).joinRoom(1, true)
    }
    expect(at('iki').presence.roomDwellMs(1, 2)).toBe(0)
    expect(at('iki').presence.roomDwellMs(1, 1)).toBeGreaterThan(300_000)
  })

  it('[REG-19] that ended deliberately, or without a resume, restarts in another region', () => {
    const first = at('bir').connectTab(1, { roomId: 1 })
    const second = at('bir').connectTab(2, { roomId: 1 })
    pass(60_000)
    first.joinRoom(2)
    second.disconnect()
    pass(10_000)
    at('iki').connectTab(1).joinRoom(1, true)
    at('iki').connectTab(2, { roomId: 1 })
    expect([1, 2].map((id) => at('iki').presence.roomDwellMs(1, id))).toEqual([0, 0])
  })

  it('[REG-19] begins in the region that the user entered first', () => {
    regions.buses.disconnect('bir')
    at('bir').connectTab(1, { roomId: 1 })
    pass(60_000)
    at('iki').connectTab(1, { roomId: 1 })
    regions.buses.connect('bir')
    settle()
    for (const name of NAMES) expect(at(name).presence.roomDwellMs(1, 1)).toBeGreaterThanOrEqual(60_900)
  })

  it('[REG-19] continues after its region became unreachable', () => {
    at('bir').connectTab(1, { roomId: 1 })
    pass(60_000)
    regions.buses.expire('bir')
    at('iki').connectTab(1).joinRoom(1, true)
    expect(at('iki').presence.roomDwellMs(1, 1)).toBeGreaterThanOrEqual(59_800)
  })
})

describe('a region in presence sync', () => {
  it('[REG-20] that becomes unreachable takes exactly its users offline in all others, at once', () => {
    const watcher = at('iki').connectTab(9, { roomId: 1 })
    at('bir').connectTab(1, { roomId: 1 })
    at('bir').connectTab(2, { roomId: 1 })
    at('üç').connectTab(2, { roomId: 1 })
    settle()
    watcher.transport.received.length = 0
    regions.buses.expire('bir')
    expect(roomIn('iki')).toMatchObject({ count: 2, online: 2 })
    pass(300)
    expect(story(watcher)).toEqual(['user-left kişi1'])
    expect(at('üç').presence.isOnline(1, null)).toBe(false)
    // The region itself keeps its users.
    expect(at('bir').presence.onlineCount(null)).toBe(2)
  })

  it('[REG-19] that is cut off keeps its last state and gets a snapshot when it reconnects', () => {
    at('bir').connectTab(1, { roomId: 1 })
    const leaver = at('bir').connectTab(2, { roomId: 1 })
    const watcher = at('iki').connectTab(9, { roomId: 1 })
    settle()
    watcher.transport.received.length = 0
    regions.buses.disconnect('bir')
    leaver.disconnect()
    at('bir').connectTab(3, { roomId: 1 })
    at('iki').connectTab(4, { roomId: 1 })
    pass(5_000)
    expect(roomIn('iki').names).toEqual(['kişi1', 'kişi2', 'kişi4', 'kişi9'])
    expect(roomIn('bir').names).toEqual(['kişi1', 'kişi3', 'kişi9'])
    regions.buses.connect('bir')
    settle()
    for (const name of NAMES) expect(roomIn(name).names).toEqual(['kişi1', 'kişi3', 'kişi4', 'kişi9'])
    expect(story(watcher).sort()).toEqual(['user-joined kişi3', 'user-joined kişi4', 'user-left kişi2'])
  })

  it('[REG-19] that joins gets a snapshot in messages of at most 500 users', () => {
    regions = createPresenceCluster(NAMES, ['bir', 'iki'])
    for (let id = 1; id <= 1_200; id++) at('bir').connectTab(id, { roomId: 1, ignoresEvents: true })
    settle()
    const watcher = at('üç').connectTab(9_999, { roomId: 1 })
    regions.buses.sentMessages.length = 0
    regions.buses.connect('üç')
    settle()
    expect(roomIn('üç')).toMatchObject({ count: 1_201, online: 1_201 })
    expect(roomIn('iki')).toMatchObject({ count: 1_201, online: 1_201 })
    expect(regions.buses.sentMessages.filter(({ from, to }) => from === 'bir' && to === 'üç').length).toBeLessThan(6)
    expect(story(watcher)).toEqual([])
  }, 60_000)

  it('[REG-19] requests a snapshot when only it was informed that the others are reachable again', () => {
    settle()
    regions.buses.disconnect('iki')
    at('bir').connectTab(1, { roomId: 1 })
    pass(1_000)
    regions.buses.connect('iki', 'onlyJoining')
    settle()
    expect(roomIn('iki')).toMatchObject({ count: 1, online: 1 })
  })

  it('[REG-19] detects a missed message by the number of the next one', () => {
    regions = createPresenceCluster(['bir', 'iki'])
    at('bir').connectTab(1)
    settle()
    regions.buses.disconnect('iki')
    at('bir').connectTab(2)
    pass(1_000)
    regions.buses.connect('iki', 'none')
    pass(10_000)
    expect(at('iki').presence.isOnline(2, null)).toBe(false)
    at('bir').connectTab(3)
    settle()
    expect([1, 2, 3].map((id) => at('iki').presence.isOnline(id, null))).toEqual([true, true, true])
  })

  it('[REG-19] ignores malformed entries and applies the rest of the message', () => {
    const stray = regions.buses.busOf('bir')
    const entry = (id: number, more: object = {}) => ({ id, user: createPerson(id), rooms: [], broken: [], ...more })
    for (const payload of [
      null,
      7,
      {},
      { at: -1, people: [] },
      { at: 1, people: 'x' },
      { at: 1, people: Array(501).fill(0) },
    ]) {
      stray.send('all', 'presence.update', payload)
    }
    const people = [
      entry(1, { user: createPerson(2) }),
      entry(3, { rooms: [{ roomId: 1, isOnline: true, hereForMs: -5 }] }),
      entry(4, { rooms: [{ roomId: 1, isOnline: true, hereForMs: Number.POSITIVE_INFINITY }] }),
      entry(5, { user: { ...createPerson(5), role: 'emperor' } }),
      entry(6, { user: { ...createPerson(6), shoeSize: 44 } }),
      'x',
    ]
    stray.send('iki', 'presence.update', { at: 1, people, whole: 'only' })
    settle()
    const { presence } = at('iki')
    expect([1, 2, 3, 4, 5, 6].filter((id) => presence.isOnline(id, null))).toEqual([6])
  })
})
