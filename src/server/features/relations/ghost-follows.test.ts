import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EventName } from '../../../shared/protocol/catalogue.ts'
import { Kind } from '../../../shared/protocol/frame.ts'
import { routes } from '../../../shared/relations/follow-protocol.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { createGhostMember } from '../../testing/fixtures/ghost-member.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestClient, TestUser } from '../../testing/fixtures/test-region.ts'
import { setOwnPrivacy } from '../accounts/users/set-own-privacy.ts'
import { liftBan } from '../moderation/lift-ban.ts'
import { blockUser } from './block-user.ts'
import { followRoutes } from './follow-routes.ts'

let api: TestApi
let admin: TestUser
let ghost: TestUser
/** The ghost follows Ada. */
let ada: TestUser
let can: TestUser
let turn = 0

beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' }, (app, _, { appContext }) => followRoutes(app, appContext))
  admin = await api.region.createRootAdmin('kök')
})
afterAll(() => api.close())
beforeEach(async () => {
  const { region } = api
  turn++
  ada = await region.createMember(`ada${turn}`)
  can = await region.createMember(`can${turn}`)
  ghost = await createGhostMember(region, admin, `hayalet${turn}`)
})

const as = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` })
const send = (actor: TestUser, action: string, follower: TestUser, following: TestUser, more: object = {}) =>
  api.post(`/api/follow/${action}`, { followerId: follower.userId, followingId: following.userId, ...more }, as(actor))
const lift = () => api.region.appContext.execute(liftBan, admin, { username: ghost.username })
const setPrivacy = (user: TestUser, accountPrivacy: 'public' | 'private') =>
  api.region.appContext.execute(setOwnPrivacy, user, { accountPrivacy })

/** Paths of every route that reads follows, by its name. */
const readPaths = (): Record<string, readonly string[]> => ({
  isFollowing: [
    `/follow/is-following/${ghost.userId}/${ada.userId}`,
    `/follow/is-following/${ada.userId}/${ghost.userId}`,
  ],
  followLists: [ada, ghost].map(({ userId }) => `/follow/followers-following/${userId}`),
  consolidatedProfile: [ada, ghost].map(({ username }) => `/users/profile-consolidated/${username}`),
})
const readAll = (viewer: TestUser) =>
  Promise.all(
    Object.values(readPaths())
      .flat()
      .map(async (path) => {
        const { status, body } = await api.get(`/api${path}`, as(viewer))
        // The start of a connection is computed from its age at the read.
        return [path, status, JSON.stringify(body, (key, value) => (key === 'connectedAt' ? null : value))]
      }),
  )
const listsOf = async (viewer: TestUser, user: TestUser) => {
  const { body } = await api.get(`/api/follow/followers-following/${user.userId}`, as(viewer))
  const ids = (users: unknown) => (users as { id: number }[]).map(({ id }) => id) // the route's schema
  return [ids(body.followers), body.followerCount, ids(body.following), body.followingCount]
}
const statusOf = async (viewer: TestUser) =>
  (await api.get(`/api/follow/is-following/${ghost.userId}/${ada.userId}`, as(viewer))).body.followStatus

type Watched = 'ada' | 'can' | 'ghost'
async function connect(): Promise<Record<Watched, TestClient>> {
  const clients = {
    ada: await api.region.connectAs(ada),
    can: await api.region.connectAs(can),
    ghost: await api.region.connectAs(ghost),
  }
  for (const { transport } of Object.values(clients)) transport.received.length = 0
  return clients
}
/** The follows and notifications that a client has received. */
async function takeEvents(client: TestClient): Promise<[EventName, unknown, unknown][]> {
  await client.request('getRooms', {})
  return client.transport.received
    .splice(0)
    .filter(([kind, , name]) => kind === Kind.event && /ollow|otification/.test(String(name)))
    .map(([, , name, payload]) => {
      const { followerCount, followingCount } = payload as Record<string, unknown>
      return [name as EventName, followerCount, followingCount]
    })
}
function hiddenFollowCount(): unknown {
  const db = openForWriting(api.region.appContext.config.databaseFile)
  const count = db.prepare('select count(*) from follow where followerId = ?').pluck().get(ghost.userId)
  db.close()
  return count
}

describe('a follow by a ghost', () => {
  it('[REL-70] every route that reads follows is in the list of this test', () => {
    const reading = Object.entries(routes).filter(([, { method }]) => method === 'GET')
    expect(Object.keys(readPaths())).toEqual(expect.arrayContaining(reading.map(([name]) => name)))
  })

  it('[REL-70] changes no answer that others get, and notifies none of them', async () => {
    await send(can, 'follow', can, ada)
    const clients = await connect()
    const before = await Promise.all([ada, can].map(readAll))
    expect((await send(ghost, 'follow', ghost, ada)).body).toMatchObject({ status: 'following' })
    expect(await Promise.all([ada, can].map(readAll))).toEqual(before)
    expect(await takeEvents(clients.ghost)).toEqual([['userFollowed', 2, 1]])
    await send(can, 'unfollow', can, ada)
    await send(can, 'follow', can, ada)
    await send(ada, 'remove-follower', ghost, ada)
    expect(await statusOf(ghost)).toBe('following')
    await send(ghost, 'unfollow', ghost, ada)
    expect(await takeEvents(clients.ghost)).toEqual([['userUnfollowed', 1, 0]])
    for (const name of ['ada', 'can'] as const)
      expect((await takeEvents(clients[name])).filter(([event]) => !event.includes('otification'))).toEqual([
        ['userUnfollowed', 0, 0],
        ['userFollowed', 1, 1],
      ])
    expect(hiddenFollowCount()).toBe(0)
  })

  it('[REL-71] is in the lists and counts of the ghost and root admins', async () => {
    await send(can, 'follow', can, ada)
    await send(ghost, 'follow', ghost, ada)
    for (const viewer of [ghost, admin]) {
      const [followers, followerCount] = await listsOf(viewer, ada)
      expect([new Set(followers as number[]), followerCount]).toEqual([new Set([can.userId, ghost.userId]), 2])
      expect(await listsOf(viewer, ghost)).toEqual([[], 0, [ada.userId], 1])
      expect(await statusOf(viewer)).toBe('following')
    }
    for (const viewer of [ada, can]) {
      expect(await listsOf(viewer, ada)).toEqual([[can.userId], 1, [], 0])
      expect(await listsOf(viewer, ghost)).toEqual([[], 0, [], 0])
    }
    expect(await statusOf(ada)).toBe('not_following')
  })

  it('[REL-72] of a private account stays a request that its owner neither gets nor answers', async () => {
    await setPrivacy(ada, 'private')
    const clients = await connect()
    const before = await readAll(ada)
    expect((await send(ghost, 'follow', ghost, ada, { request: true })).body).toMatchObject({ status: 'pending' })
    expect(await readAll(ada)).toEqual(before)
    expect((await send(ada, 'accept-follow', ghost, ada)).body).toMatchObject({ code: 'NotFound' })
    await send(ada, 'reject-follow', ghost, ada)
    expect(await statusOf(ghost)).toBe('pending')
    await api.region.appContext.execute(blockUser, ada, { blockedUsername: ghost.username })
    expect(hiddenFollowCount()).toBe(0)
    expect(await takeEvents(clients.ada)).toEqual([])
    expect(await takeEvents(clients.ghost)).toEqual([
      ['followStatusUpdate', 0, 0],
      ['userUnfollowed', 0, 0],
    ])
  })

  it('[REL-73] ends when the account becomes private, so that no unknown follower sees it', async () => {
    await send(ghost, 'follow', ghost, ada)
    const clients = await connect()
    await setPrivacy(ada, 'private')
    expect(await takeEvents(clients.ghost)).toEqual([['userUnfollowed', 0, 0]])
    expect(await takeEvents(clients.ada)).toEqual([])
    expect((await api.get(`/api/follow/followers-following/${ada.userId}`, as(ghost))).status).toBe(403)
  })

  it('[REL-73] ends with the ban, and others learn of none', async () => {
    await send(ghost, 'follow', ghost, ada)
    await setPrivacy(can, 'private')
    await send(ghost, 'follow', ghost, can, { request: true })
    const clients = await connect()
    await lift()
    expect(hiddenFollowCount()).toBe(0)
    expect((await takeEvents(clients.ghost)).map(([name]) => name)).toEqual(['userUnfollowed', 'userUnfollowed'])
    for (const name of ['ada', 'can'] as const) expect(await takeEvents(clients[name])).toEqual([])
    await send(ghost, 'follow', ghost, ada)
    expect(await listsOf(can, ada)).toEqual([[ghost.userId], 1, [], 0])
    expect(await takeEvents(clients.ada)).toEqual(expect.arrayContaining([['userFollowed', 1, 1]]))
  })
})
