import { beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import { Kind } from '../../../shared/protocol/frame.ts'
import { replayMissed } from '../../core/live/replay-missed.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { createRoomPage, RoomHarness } from '../room-chat/testing/room-harness.ts'
import { OnlineCounts } from './online-counts.ts'
import { RoomUsers } from './room-users.ts'

let environment: FakeEnvironment
let client: RoomHarness

const [ada, can, ece, işıl, zeki] = ['ada', 'can', 'ece', 'ışıl', 'zeki'].map((name, index) =>
  createPerson(index + 1, name),
) as [Person, Person, Person, Person, Person]

beforeEach(async () => {
  environment = new FakeEnvironment()
  client = new RoomHarness(environment)
  await client.openRoom(createRoomPage({ users: [ada, ece], total: 2 }))
})

const moment = (name: string, payload: object) => environment.transport.receive([Kind.ephemeral, name, { ...payload }])
const snapshot = (users: Person[], total = users.length) => moment('users-in-room', { roomId: 1, users, total })
const joined = (user: Person, roomId = 1) => moment('user-joined', { roomId, user })
const left = (username: string, roomId = 1) => moment('user-left', { roomId, username })
const names = () => client.roomUsers.list.value.users.map(({ username }) => username)
const total = () => client.roomUsers.list.value.total

const STATUS = { activeUsers: 42, male: 1, female: 1, desktop: 1, mobile: 1, owner: 'ada' }
const times = (count: number, run: () => void) => Array.from({ length: count }, run)

describe('the users of the room', () => {
  it('[ROOM-10] are those of the page at first', () => {
    expect([names(), total()]).toEqual([['ada', 'ece'], 2])
  })

  it('[ROOM-11] follow joins and leaves, sorted by name in Turkish order', () => {
    joined(işıl)
    joined(zeki)
    joined(can)
    expect([names(), total()]).toEqual([['ada', 'can', 'ece', 'ışıl', 'zeki'], 5])
    left('ece')
    expect([names(), total()]).toEqual([['ada', 'can', 'ışıl', 'zeki'], 4])
  })

  it('[ROOM-11] ignore events of other rooms', () => {
    joined(can, 2)
    left('ada', 2)
    moment('users-in-room', { roomId: 2, users: [], total: 0 })
    expect([names(), total()]).toEqual([['ada', 'ece'], 2])
  })

  it('[PRES-09] are replaced by a snapshot', () => {
    joined(can)
    left('ada')
    snapshot([ada, zeki])
    expect([names(), total()]).toEqual([['ada', 'zeki'], 2])
  })

  it('[PRES-06] include users who are away', () => {
    moment('userStatusChanged', { username: 'ece', isOnline: false })
    moment('userStatusChanged', { username: 'nobody', isOnline: false })
    expect(client.roomUsers.list.value.users.map(({ isOnline }) => isOnline)).toEqual([true, false])
  })

  it('[PRES-11] update a changed user, and move a renamed one', () => {
    moment('userUpdated', { user: { ...ada, username: 'Zeynep', role: 'rootadmin' } })
    moment('userUpdated', { user: can })
    expect([names(), total()]).toEqual([['ece', 'Zeynep'], 2])
    expect(client.roomUsers.list.value.users[1]).toMatchObject({ id: ada.id, role: 'rootadmin' })
  })

  it('change with the page of another room, and stay with a page of the same one', () => {
    joined(can)
    client.roomSubscription.openPage(createRoomPage({ users: [ada], total: 1 }))
    expect([names(), total()]).toEqual([['ada', 'can', 'ece'], 3])
    client.roomSubscription.openPage(createRoomPage({ roomId: 2, users: [zeki], total: 1 }))
    expect([names(), total()]).toEqual([['zeki'], 1])
  })
})

describe('paging', () => {
  const answer = async (users: Person[], all: number) => {
    environment.transport.answer('getRoomUsers', { roomId: 1, users, total: all })
    await flushPromises()
  }

  it('[ROOM-12] loads the next page after the last name that the server listed, one at a time', async () => {
    snapshot([ada, can], 4)
    joined(zeki)
    const both = Promise.all([client.roomUsers.loadRows(0, 4), client.roomUsers.loadRows(0, 4)])
    expect(environment.transport.count('getRoomUsers')).toBe(1)
    expect(environment.transport.request('getRoomUsers').input).toEqual({ roomId: 1, after: 'can' })
    await answer([ece, işıl, zeki], 5)
    await both
    expect([names(), total()]).toEqual([['ada', 'can', 'ece', 'ışıl', 'zeki'], 5])
    await client.roomUsers.loadRows(0, 4)
    expect(environment.transport.count('getRoomUsers')).toBe(1)
  })

  it('[ROOM-12] counts users who are not loaded', () => {
    snapshot([ada, can], 250)
    left('somebody far down')
    joined(zeki)
    joined(işıl)
    expect(total()).toBe(251)
  })

  it('[ROOM-12] counts a user once when a page shows them before their event comes', async () => {
    snapshot([ada, can], 3)
    const loading = client.roomUsers.loadRows(0, 4)
    await answer([ece, işıl], 4)
    await loading
    joined(işıl)
    expect([names(), total()]).toEqual([['ada', 'can', 'ece', 'ışıl'], 4])
  })

  it('[LIVE-38] [ROOM-11] keeps a user who joined after the page was read, when both come in one frame', async () => {
    snapshot([ada, can], 3)
    const loading = client.roomUsers.loadRows(0, 4)
    environment.transport.receive(
      [Kind.answer, environment.transport.request('getRoomUsers').id, { roomId: 1, users: [zeki], total: 3 }],
      [Kind.ephemeral, 'user-joined', { roomId: 1, user: { ...ece } }],
    )
    await loading
    await flushPromises()
    expect([names(), total()]).toEqual([['ada', 'can', 'ece', 'zeki'], 4])
  })

  it('[PRES-15] loads pages until the wanted number of rows is there', async () => {
    snapshot([ada, can], 6)
    joined(zeki)
    const loading = client.roomUsers.loadRows(0, 4)
    await answer([ece, işıl], 7)
    expect([await loading, environment.transport.count('getRoomUsers')]).toEqual([true, 1])
    expect(await client.roomUsers.loadRows(0, 4)).toBe(true)
    expect(environment.transport.count('getRoomUsers')).toBe(1)
  })

  it('[PRES-15] ends at an empty page, for any count', async () => {
    snapshot([ada, can], 4)
    const loading = client.roomUsers.loadRows(0, 4)
    await answer([ece], 4)
    await answer([], 4)
    expect([await loading, names(), total()]).toEqual([true, ['ada', 'can', 'ece'], 3])
  })

  it('[PRES-20] reports a failed page', async () => {
    snapshot([ada, can], 4)
    const loading = client.roomUsers.loadRows(0, 4)
    environment.transport.refuse('getRoomUsers', { code: 'RateLimited', message: '' })
    expect(await loading).toBe(false)
  })

  it('[PRES-21] keeps rows that a snapshot does not list, and reloads them when they come into view', async () => {
    snapshot([ada], 5)
    const loading = client.roomUsers.loadRows(0, 5)
    await answer([can, ece, işıl, zeki], 5)
    await loading
    const veli = createPerson(9, 'veli')
    snapshot([ada], 5)
    expect([names(), client.roomUsers.list.value.isComplete]).toEqual([['ada', 'can', 'ece', 'ışıl', 'zeki'], false])
    const reading = client.roomUsers.loadRows(4, 5)
    expect(environment.transport.request('getRoomUsers').input).toEqual({ roomId: 1, after: 'ışıl' })
    await answer([veli, zeki], 5)
    expect([await reading, names(), total()]).toEqual([true, ['ada', 'can', 'ece', 'ışıl', 'veli', 'zeki'], 5])
    const above = client.roomUsers.loadRows(0, 4)
    expect(environment.transport.request('getRoomUsers').input).toEqual({ roomId: 1, after: 'ada' })
    await answer([can, işıl], 5)
    expect([await above, names()]).toEqual([true, ['ada', 'can', 'ışıl', 'veli', 'zeki']])
  })

  it("[PRES-21] reloads when an unknown user's new name falls among the loaded rows", async () => {
    snapshot([ada, can, ece], 5)
    moment('userUpdated', { user: { ...zeki, username: 'berk' } })
    const loading = client.roomUsers.loadRows(0, 3)
    await answer([ada, { ...zeki, username: 'berk' }, can], 5)
    expect([await loading, names(), total()]).toEqual([true, ['ada', 'berk', 'can', 'ece'], 5])
  })

  it('drops a page that is older than a snapshot, and a failed one', async () => {
    snapshot([ada, can], 4)
    const loading = client.roomUsers.loadRows(0, 4)
    snapshot([ada, ece], 5)
    await answer([işıl], 4)
    await loading
    expect([names(), total()]).toEqual([['ada', 'ece'], 5])
    const refused = client.roomUsers.loadRows(0, 4)
    environment.transport.refuse('getRoomUsers', { code: 'NotInRoom', message: '' })
    await refused
    const lost = client.roomUsers.loadRows(0, 4)
    environment.transport.drop()
    await lost
    expect(names()).toEqual(['ada', 'ece'])
  })
})

describe('stores whose code loads after the page', () => {
  const createLateStores = () =>
    replayMissed(
      client.live,
      () => ({
        people: new RoomUsers(client.live, client.roomSubscription),
        counts: new OnlineCounts(environment, client.live, client.roomSubscription),
      }),
      ({ people, counts }) => {
        people.refresh()
        void counts.refresh()
      },
    )

  it('[ROOM-11] [SHELL-31] equal stores that were there from the start', () => {
    joined(can)
    left('can')
    snapshot([ada, can, ece])
    left('ada')
    joined(ada)
    left('ece')
    moment('activeUsersCount', { count: 20 })
    const late = createLateStores()
    expect(late.people.list.value.users.map(({ username }) => username)).toEqual(['ada', 'can'])
    expect(late.people.list.value).toEqual(client.roomUsers.list.value)
    expect(late.counts.siteTotal.value).toBe(20)
    joined(zeki)
    client.roomSubscription.openPage(createRoomPage({ roomId: 2, users: [işıl], total: 1 }))
    expect(late.people.list.value).toEqual(client.roomUsers.list.value)
    expect(names()).toEqual(['ışıl'])
  })

  it('[SHELL-31] miss nothing, for any number and time of late stores', () => {
    joined(can)
    const first = createLateStores()
    left('ada')
    moment('activeUsersCount', { count: 20 })
    const second = createLateStores()
    joined(zeki)
    moment('activeUsersCount', { count: 21 })
    const third = createLateStores()
    left('ece')
    expect(names()).toEqual(['can', 'zeki'])
    for (const { people, counts } of [first, second, third]) {
      expect(people.list.value).toEqual(client.roomUsers.list.value)
      expect(counts.siteTotal.value).toBe(21)
    }
  })

  it('[SHELL-31] start from the current page, not from a previous one', async () => {
    joined(can)
    client.roomSubscription.openPage(createRoomPage({ roomId: 2, users: [ada], total: 1 }))
    joined(zeki, 2)
    const first = createLateStores()
    client.roomSubscription.openPage(createRoomPage({ roomId: 1, users: [ada, ece], total: 2 }))
    const second = createLateStores()
    expect([names(), total()]).toEqual([['ada', 'ece'], 2])
    for (const { people } of [first, second]) expect(people.list.value).toEqual(client.roomUsers.list.value)
  })

  it.each([
    ['more happened than is kept', () => times(1_001, () => moment('activeUsersCount', { count: 20 }))],
    ['the connection starts over', () => moment('resync', {})],
    ['the same page is shown again', () => client.roomSubscription.openPage(createRoomPage({ users: [ada, ece] }))],
  ])('[SHELL-31] fetch when %s', async (_why, happen) => {
    joined(can)
    happen()
    for (const _ of ['first', 'second']) {
      const late = createLateStores()
      expect(environment.transport.request('getRoomUsers').input).toEqual({ roomId: 1 })
      environment.transport.answer('getRoomUsers', { users: [ada, can, zeki], total: 3 })
      environment.transport.answer('getStatus', STATUS)
      environment.transport.answer('getRooms', { rooms: [{ id: 3, name: 'Müzik', activeUsers: 7 }] })
      await flushPromises()
      expect(late.people.list.value.users).toEqual([ada, can, zeki])
      expect([late.counts.siteTotal.value, late.counts.byRoom.value[3]]).toEqual([STATUS.activeUsers, 7])
    }
  })

  it('[SHELL-31] replay again after the next page', () => {
    times(1_001, () => moment('activeUsersCount', { count: 20 }))
    client.roomSubscription.openPage(createRoomPage({ roomId: 2, users: [ada], total: 1 }))
    joined(zeki, 2)
    expect(createLateStores().people.list.value.users).toEqual([ada, zeki])
  })
})

describe('counts', () => {
  it('[ROOM-13] [PRES-03] follow the users of every room and of the site', () => {
    client.roomSubscription.openPage(
      createRoomPage({ roomId: 2, rooms: [{ id: 3, name: 'Müzik', activeUsers: 7 }], onlineCount: 12 }),
    )
    expect([client.onlineCounts.byRoom.value, client.onlineCounts.siteTotal.value]).toEqual([{ 1: 1, 2: 1, 3: 7 }, 12])
    moment('roomUserCountUpdate', { rooms: [{ roomId: 3, activeUsers: 8 }] })
    moment('activeUsersCount', { count: 20 })
    expect([client.onlineCounts.byRoom.value[3], client.onlineCounts.siteTotal.value]).toEqual([8, 20])
  })

  it('[ROOM-13] watch the widest scope that a list needs, and again after a reconnect', async () => {
    const scope = () => environment.transport.request('watchRoomCounts').input.scope
    const stopRail = client.onlineCounts.watch('busiest')
    expect(scope()).toBe('busiest')
    const stopSheet = client.onlineCounts.watch('all')
    expect(scope()).toBe('all')
    environment.transport.answer('watchRoomCounts', { rooms: [{ roomId: 3, activeUsers: 9 }] })
    await flushPromises()
    expect(client.onlineCounts.byRoom.value[3]).toBe(9)
    stopSheet()
    expect(scope()).toBe('busiest')
    environment.transport.drop()
    await environment.advance(6_000)
    await client.answerHello({ roomId: 1 })
    expect(scope()).toBe('busiest')
    stopRail()
    expect(scope()).toBe('none')
  })

  it('[ROOM-24] fetch the list for a busier room that it lacks, at most once in 30 seconds', async () => {
    const fetches = () => environment.transport.count('getRooms')
    const count = (roomId: number, activeUsers: number) =>
      moment('roomUserCountUpdate', { rooms: [{ roomId, activeUsers }] })
    const listed = { id: 3, name: 'Müzik', activeUsers: 7 }
    client.roomSubscription.openPage(createRoomPage({ roomId: 3, rooms: [listed], roomCount: 80 }))
    const { onlineCounts } = client
    expect(onlineCounts.listedRoomCount.value).toBe(80)
    moment('roomUserCountUpdate', { rooms: [{ roomId: 3, activeUsers: 6 }] })
    count(4, 6)
    await environment.advance(31_000)
    expect(fetches()).toBe(0)
    count(4, 9)
    count(5, 9)
    await environment.advance(5_000)
    expect(fetches()).toBe(1)
    environment.transport.answer('getRooms', { rooms: [listed, { id: 4, name: 'Oyun', activeUsers: 9 }] })
    await flushPromises()
    expect([onlineCounts.listedRoomCount.value, onlineCounts.listedRooms.value.length]).toEqual([2, 2])
    count(4, 10)
    count(5, 10)
    await environment.advance(31_000)
    expect(fetches()).toBe(1)
    count(6, 10)
    await environment.advance(5_000)
    environment.transport.answer('getRooms', { rooms: [listed] })
    await flushPromises()
    count(7, 10)
    await environment.advance(24_000)
    expect(fetches()).toBe(2)
    await environment.advance(11_000)
    expect(fetches()).toBe(3)
  })

  it('[PRES-02] are computed for root admins, who receive names in place of numbers', () => {
    moment('activeUsers', { users: [ada], count: 300 })
    moment('userJoined', { user: can })
    moment('userJoined', { user: ece })
    moment('userLeft', { username: 'can' })
    expect(client.onlineCounts.siteTotal.value).toBe(301)
  })
})
