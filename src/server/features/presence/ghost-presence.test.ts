import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import type { EventName } from '../../../shared/protocol/catalogue.ts'
import { watchedUserStream } from '../../kernel/presence/streams.ts'
import {
  createPresenceCluster,
  type PresenceCluster,
  type PresenceTab,
} from '../../testing/fixtures/presence-cluster.ts'
import { TypingIndicators } from '../room-chat/typing-indicators.ts'

const NAMES = ['bir', 'iki']
const GHOST = { userId: 1, role: 'guest' } as const
const ROOT = { userId: 9, role: 'rootadmin' } as const
const OTHER = { userId: 2, role: 'guest' } as const

let regions: PresenceCluster
beforeEach(() => {
  vi.useFakeTimers()
  regions = createPresenceCluster(NAMES)
})
afterEach(() => {
  for (const name of NAMES) at(name).presence.close()
  vi.useRealTimers()
})

const at = (name: string) => regions.region(name)
/** Longer than the windows of presence, of its exchange between regions and of counts. */
const settle = () => vi.advanceTimersByTime(1_500)
const setGhost = (name: string, isGhost: boolean) => at(name).presence.setGhost(GHOST.userId, isGhost)
const namesOf = (people: { username: string }[]) => people.map(({ username }) => username)
const forget = (...tabs: PresenceTab[]) => {
  for (const { transport } of tabs) transport.received.length = 0
}
/** Everything that the tab received, as text. */
const receivedText = ({ transport }: PresenceTab) => JSON.stringify(transport.received)
const valuesBut = ({ transport }: PresenceTab, name: EventName) =>
  transport.received.filter((value) => value[1] !== name)
const lastOf = (tab: PresenceTab, name: EventName) => tab.receivedPayloads(name).at(-1)

/** What an observer reads of the room and of the site in a region. */
function readAll(name: string, observer: typeof GHOST | typeof ROOT | typeof OTHER | null) {
  const { presence } = at(name)
  return {
    listed: namesOf(presence.listRoom(1, observer)),
    found: namesOf(presence.searchRoom(1, observer, { search: 'kişi1' }).users),
    count: presence.roomCount(1, observer),
    inRoom: presence.isIn(1, GHOST.userId, observer),
    isOnline: presence.isOnline(GHOST.userId, observer),
    connected: presence.onlineMs(GHOST.userId, observer) !== null,
    site: presence.onlineCount(observer),
    status: [presence.counts(1, observer).activeUsers, presence.counts(null, observer).activeUsers],
  }
}
const WITHOUT_GHOST = {
  ...{ listed: ['kişi2'], found: [], count: 1, inRoom: false },
  ...{ isOnline: false, connected: false, site: 1, status: [1, 1] },
}
const WITH_GHOST = {
  ...{ listed: ['kişi1', 'kişi2'], found: ['kişi1'], count: 2, inRoom: true },
  ...{ isOnline: true, connected: true, site: 2, status: [2, 2] },
}

describe('the presence of a ghost-banned guest', () => {
  it('[GHOSTP-03] is in no list, search, count or status that others read, and in all that the guest reads', () => {
    at('bir').connectTab(1, { roomId: 1 })
    at('bir').connectTab(2, { roomId: 1 })
    settle()
    expect(readAll('bir', OTHER)).toEqual(WITH_GHOST)
    setGhost('bir', true)
    settle()
    for (const observer of [OTHER, null]) expect(readAll('bir', observer)).toEqual(WITHOUT_GHOST)
    expect(readAll('bir', GHOST)).toEqual(WITH_GHOST)
    const { presence } = at('bir')
    expect([presence.ownRoomCounts(GHOST), presence.ownRoomCounts(OTHER), presence.ownRoomCounts(null)]).toEqual([
      [{ roomId: 1, activeUsers: 2 }],
      [],
      [],
    ])
    const entering = (id: number) => presence.withUser(1, createPerson(id, `kişi${id}`))
    expect([namesOf(entering(1).users), entering(1).total]).toEqual([['kişi1', 'kişi2'], 2])
    expect([namesOf(entering(3).users), entering(3).total]).toEqual([['kişi2', 'kişi3'], 2])
    expect([presence.isMember(1, 1), presence.isConnected(1), presence.onlineUserIds()]).toEqual([true, true, [1, 2]])
    setGhost('bir', false)
    settle()
    expect(readAll('bir', OTHER)).toEqual(WITH_GHOST)
  })

  it('[GHOSTP-03] is hidden from another ghost, who is hidden from them', () => {
    const [first, second] = [at('bir').connectTab(1, { roomId: 1 }), at('bir').connectTab(2, { roomId: 1 })]
    settle()
    for (const id of [1, 2]) at('bir').presence.setGhost(id, true)
    settle()
    expect(namesOf(at('bir').presence.listRoom(1, GHOST))).toEqual(['kişi1'])
    expect(namesOf(at('bir').presence.listRoom(1, OTHER))).toEqual(['kişi2'])
    forget(first, second)
    first.joinRoom(2)
    settle()
    expect(receivedText(second)).not.toContain('kişi1')
  })

  it('[GHOSTP-03] leaves no count of a room behind that nobody else has entered', () => {
    const other = at('bir').connectTab(2)
    const ghost = at('bir').connectTab(1)
    setGhost('bir', true)
    ghost.joinRoom(7)
    settle()
    const { roomCounts } = at('bir').presence
    expect(roomCounts.watch(ghost.connection, 'all')).toEqual([{ roomId: 7, activeUsers: 1 }])
    expect(roomCounts.watch(other.connection, 'all')).toEqual([])
    ghost.joinRoom(8)
    settle()
    expect(ghost.receivedPayloads('roomUserCountUpdate').slice(-2)).toEqual([
      { rooms: [{ roomId: 7, activeUsers: 0 }] },
      { rooms: [{ roomId: 8, activeUsers: 1 }] },
    ])
    expect(other.receivedPayloads('roomUserCountUpdate')).toEqual([])
    expect(roomCounts.watch(ghost.connection, 'all')).toEqual([{ roomId: 8, activeUsers: 1 }])
    expect(roomCounts.watch(other.connection, 'all')).toEqual([])
  })

  it('[GHOSTP-04] is shown to root admins on the site, marked, and in rooms as to everybody', () => {
    const root = at('bir').connectTab(9, { isRootAdmin: true, roomId: 1 })
    const ghost = at('bir').connectTab(1, { roomId: 1 })
    at('bir').publisher.subscribe(root.connection, watchedUserStream(1), 0)
    settle()
    forget(root, ghost)
    setGhost('bir', true)
    settle()
    expect(root.receivedPayloads('user-left')).toEqual([{ roomId: 1, username: 'kişi1' }])
    expect(root.receivedPayloads('userUpdated')).toMatchObject([{ user: { id: 1, isOnline: true, isGhost: true } }])
    for (const name of ['userLeft', 'userStatusChanged'] as const) expect(root.receivedPayloads(name)).toEqual([])
    const late = at('bir').connectTab(8, { isRootAdmin: true })
    settle()
    expect(lastOf(late, 'activeUsers')).toMatchObject({
      count: 3,
      users: [{ id: 1, isGhost: true }, { id: 8 }, { id: 9 }],
    })
    const { presence } = at('bir')
    expect([presence.onlineCount(ROOT), presence.isOnline(1, ROOT), presence.roomCount(1, ROOT)]).toEqual([3, true, 1])
    expect([presence.isIn(1, 1, ROOT), presence.counts(null, ROOT).activeUsers]).toEqual([false, 3])
    forget(root, late)
    ghost.disconnect()
    vi.advanceTimersByTime(5_000)
    expect([root.receivedPayloads('userLeft'), root.receivedPayloads('user-left')]).toEqual([
      [{ username: 'kişi1' }],
      [],
    ])
    const again = at('bir').connectTab(1, { roomId: 1 })
    settle()
    expect(root.receivedPayloads('userJoined')).toMatchObject([{ user: { id: 1, isGhost: true } }])
    forget(root)
    setGhost('bir', false)
    settle()
    expect(root.receivedPayloads('userUpdated').map(({ user }) => Object(user).isGhost)).toEqual([undefined])
    expect(root.receivedPayloads('user-joined')).toMatchObject([{ user: { id: 1 } }])
    expect(JSON.stringify(again.transport.received)).not.toContain('isGhost')
    expect(JSON.stringify(ghost.transport.received)).not.toContain('isGhost')
  })
})

describe('the presence of a ghost-banned guest in another region', () => {
  const enter = (name: string, id: number) => at(name).connectTab(id, { roomId: 1 })

  it.each([
    ['the event before the presence', 0, 400],
    ['the presence before the event', 400, 0],
  ])('[GHOSTP-06] is hidden with %s', (_, presenceDelayMs, eventDelayMs) => {
    const other = enter('iki', 2)
    settle()
    forget(other)
    // A guest who is a ghost from the start.
    if (eventDelayMs > 0) setGhost('iki', true)
    vi.advanceTimersByTime(eventDelayMs)
    setGhost('bir', true)
    enter('bir', 1)
    vi.advanceTimersByTime(presenceDelayMs)
    setGhost('iki', true)
    settle()
    expect(receivedText(other)).not.toContain('kişi1')
    expect(readAll('iki', OTHER)).toEqual(WITHOUT_GHOST)
    expect(at('iki').presence.isConnected(1)).toBe(true)
  })

  it('[GHOSTP-02] [GHOSTP-06] leaves once, and comes back once both regions know of the end', () => {
    const other = enter('iki', 2)
    const ghost = enter('bir', 1)
    settle()
    forget(other, ghost)
    setGhost('iki', true)
    settle()
    setGhost('bir', true)
    settle()
    expect(other.receivedPayloads('user-left')).toEqual([{ roomId: 1, username: 'kişi1' }])
    expect(readAll('iki', OTHER)).toEqual(WITHOUT_GHOST)
    setGhost('iki', false)
    settle()
    expect(readAll('iki', OTHER)).toEqual(WITHOUT_GHOST)
    setGhost('bir', false)
    settle()
    expect(other.receivedPayloads('user-joined')).toMatchObject([{ user: { id: 1 } }])
    expect(readAll('iki', OTHER)).toEqual(WITH_GHOST)
    expect(valuesBut(ghost, 'activeUsersCount')).toEqual([])
    expect(ghost.receivedPayloads('activeUsersCount').every(({ count }) => count === 2)).toBe(true)
  })

  it('[GHOSTP-06] leaves at the presence of their region, when the event comes later', () => {
    const other = enter('iki', 2)
    enter('bir', 1)
    settle()
    forget(other)
    setGhost('bir', true)
    settle()
    setGhost('iki', true)
    settle()
    expect(other.receivedPayloads('user-left')).toEqual([{ roomId: 1, username: 'kişi1' }])
    expect(other.receivedPayloads('user-joined')).toEqual([])
    setGhost('bir', false)
    settle()
    expect(other.receivedPayloads('user-joined')).toEqual([])
    setGhost('iki', false)
    settle()
    expect(other.receivedPayloads('user-joined')).toHaveLength(1)
  })

  it('[GHOSTP-06] is hidden by the report of a region that has gone only while it is there', () => {
    enter('bir', 1)
    enter('iki', 2)
    setGhost('bir', true)
    settle()
    expect(at('iki').presence.isGhost(1)).toBe(true)
    const tab = enter('iki', 1)
    settle()
    expect(lastOf(tab, 'activeUsersCount')).toEqual({ count: 2 })
    tab.disconnect()
    settle()
    vi.advanceTimersByTime(4_000)
    regions.buses.expire('bir')
    settle()
    expect(at('iki').presence.isGhost(1)).toBe(false)
    regions.buses.connect('bir')
    settle()
    expect([at('iki').presence.isGhost(1), readAll('iki', OTHER)]).toEqual([true, WITHOUT_GHOST])
  })

  it('[GHOSTP-06] sees their own tabs of both regions as before', () => {
    const [here, there] = [enter('bir', 1), enter('iki', 1)]
    enter('iki', 2)
    settle()
    forget(here, there)
    for (const name of NAMES) setGhost(name, true)
    settle()
    for (const tab of [here, there]) expect(valuesBut(tab, 'activeUsersCount')).toEqual([])
    for (const name of NAMES) expect(readAll(name, GHOST)).toMatchObject({ listed: ['kişi1', 'kişi2'], count: 2 })
    here.joinRoom(2)
    settle()
    expect(readAll('iki', GHOST)).toMatchObject({ listed: ['kişi1', 'kişi2'], count: 2 })
    there.joinRoom(2)
    settle()
    expect([at('iki').presence.roomCount(2, GHOST), at('iki').presence.roomCount(2, OTHER)]).toEqual([2 - 1, 0])
  })
})

describe('the typing of a ghost-banned guest', () => {
  function createTyping(name: string): TypingIndicators {
    const { publisher, presence } = at(name)
    return new TypingIndicators(publisher, regions.buses.busOf(name), presence)
  }
  const typingOf = (tab: PresenceTab) => tab.receivedPayloads('typing').map(({ users }) => namesOf(users as never[]))

  it('[GHOSTP-07] reaches nobody in any region', () => {
    const typing = Object.fromEntries(NAMES.map((name) => [name, createTyping(name)]))
    const tabs = NAMES.flatMap((name) => [1, 2].map((id) => at(name).connectTab(id, { roomId: 1 })))
    for (const name of NAMES) setGhost(name, true)
    settle()
    typing.bir?.addTypingUser(1, { id: 1, username: 'kişi1' })
    vi.advanceTimersByTime(100)
    typing.bir?.addTypingUser(1, { id: 2, username: 'kişi2' })
    vi.advanceTimersByTime(2_000)
    for (const tab of tabs) expect(typingOf(tab)).toEqual([['kişi2']])
    for (const one of Object.values(typing)) one.close()
  })

  it('[GHOSTP-07] is hidden by a region that knows of the ban before the region of the guest', () => {
    const typing = Object.fromEntries(NAMES.map((name) => [name, createTyping(name)]))
    at('bir').connectTab(1, { roomId: 1 })
    const [near, far] = NAMES.map((name) => at(name).connectTab(2, { roomId: 1 }))
    settle()
    setGhost('iki', true)
    typing.bir?.addTypingUser(1, { id: 1, username: 'kişi1' })
    vi.advanceTimersByTime(2_000)
    expect([near && typingOf(near), far && typingOf(far)]).toEqual([[['kişi1']], []])
    for (const one of Object.values(typing)) one.close()
  })
})
