import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ConsolidatedProfile } from '../../../shared/profiles/consolidated-protocol.ts'
import { PRIVACY_DEFAULTS } from '../../../shared/settings/rules.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { stopClock } from '../../testing/fixtures/stop-clock.ts'
import { type ApiResponse, openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { followRoutes } from '../relations/follow-routes.ts'
import { relationRoutes } from '../relations/routes.ts'

const VIEWERS = ['guest', 'member', 'follower', 'pending', 'blocked', 'blocker', 'rootAdmin', 'oneself'] as const
type ViewerName = (typeof VIEWERS)[number]
const SUMMARY = [
  'id',
  'username',
  'gender',
  'avatarUrl',
  'isGuest',
  'isOnline',
  'role',
  'premiumStatus',
  'lastLoginPlatform',
]
const DETAILS = ['age', 'city', 'bio', 'largeAvatarUrl', 'connectedAt', 'lastActive', ...Object.keys(PRIVACY_DEFAULTS)]

let api: TestApi
let viewers: Record<ViewerName, TestUser>
let target: TestUser
let turn = 0

beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' }, (app, _, { appContext }) => {
    followRoutes(app, appContext)
    relationRoutes(app, appContext)
  })
})
afterAll(() => api.close())

const as = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` })
const post = (actor: TestUser, path: string, body: object) => api.post(`/api${path}`, body, as(actor))
const follow = (follower: TestUser, more = {}) =>
  post(follower, '/follow/follow', { followerId: follower.userId, followingId: target.userId, ...more })
const lookUp = (viewer: TestUser, name = target.username, route = 'profile-consolidated') =>
  api.get(`/api/users/${route}/${encodeURIComponent(name)}`, as(viewer))
const profileFor = async (viewer: TestUser): Promise<ConsolidatedProfile> => {
  const { body } = (await lookUp(viewer)) as ApiResponse & { body: ConsolidatedProfile } // the schema of the route
  return body
}

/** Changes the site's database as another feature would. */
function updateDatabase(statement: string, ...values: unknown[]): void {
  const db = openForWriting(api.region.appContext.config.databaseFile)
  db.prepare(statement).run(...values)
  db.close()
}

/** One follower, one request, a block in each direction, and a listed room; the account is private from then on. */
async function openPrivateProfile(): Promise<void> {
  await follow(viewers.follower)
  updateDatabase(
    "update user set accountPrivacy = 'private', city = 'Bursa', bio = 'Merhaba', age = 30 where id = ?",
    target.userId,
  )
  await follow(viewers.pending, { request: true })
  await post(target, '/users/block', { blockedUsername: viewers.blocked.username })
  await post(viewers.blocker, '/users/block', { blockedUsername: target.username })
  updateDatabase(
    `insert into room (name, foldedName, capacity, isList, isActive, ownerId, createdAt, updatedAt)
     values ('Oda ${turn}', 'oda ${turn}', 10, 1, 1, ?, 0, 0), ('Gizli ${turn}', 'gizli ${turn}', 10, 0, 1, ?, 0, 0)`,
    target.userId,
    target.userId,
  )
  insertPost(false)
  insertPost(true)
}

function insertPost(isArchived: boolean): void {
  updateDatabase(
    `insert into post (userId, type, path, sizeBytes, description, isArchived, createdAt, likeCount, commentCount,
       score, isReported, isPurging) values (?, 'photo', 'resim.webp', 1, ?, ?, 0, 0, 0, 0, 0, 0)`,
    target.userId,
    isArchived ? 'arşivde' : 'herkese',
    Number(isArchived),
  )
}

beforeEach(async () => {
  const { region } = api
  turn++
  target = await region.createMember(`hedef${turn}`)
  viewers = {
    guest: await region.createGuest(`konuk${turn}`),
    member: await region.createMember(`üye${turn}`),
    follower: await region.createMember(`izleyen${turn}`),
    pending: await region.createMember(`bekleyen${turn}`),
    blocked: await region.createMember(`engelli${turn}`),
    blocker: await region.createMember(`engelleyen${turn}`),
    rootAdmin: await region.createRootAdmin(`kök${turn}`),
    oneself: target,
  }
})

describe('the consolidated profile', () => {
  it('[PROF-40] answers everything of a public profile, and guests by their own route only', async () => {
    await follow(viewers.follower)
    expect(await profileFor(viewers.member)).toMatchObject({
      success: true,
      profile: {
        id: target.userId,
        username: target.username,
        ...PRIVACY_DEFAULTS,
        isOnline: false,
        connectedAt: null,
      },
      status: {
        canViewProfile: true,
        followStatus: 'not_following',
        followBackStatus: 'not_following',
        isBlockedByProfile: false,
        hasBlockedProfile: false,
      },
      stats: { followerCount: 1, followingCount: 0 },
      posts: [],
      createdRooms: [],
      followers: [{ id: viewers.follower.userId, isGuest: false }],
      following: [],
    })
    const { guest, member } = viewers
    expect((await lookUp(member, guest.username, 'profile-consolidated-guest')).body).toMatchObject({
      profile: { id: guest.userId, isGuest: true, avatarUrl: null },
      status: { canViewProfile: true },
    })
    expect(await lookUp(member, target.username, 'profile-consolidated-guest')).toMatchObject({ status: 404 })
    expect(await lookUp(member, 'hiçkimse')).toMatchObject({ status: 404, body: { code: 'NotFound' } })
    expect(await lookUp(member, guest.username)).toMatchObject({ body: { profile: { isGuest: true } } })
  })

  it.each(VIEWERS)('[PROF-41] shows each field of a private profile to whom it concerns: %s', async (name) => {
    await openPrivateProfile()
    const answer = await profileFor(viewers[name])
    const isAcrossBlock = name === 'blocked' || name === 'blocker'
    const canView = ['follower', 'rootAdmin', 'oneself'].includes(name)
    const fields = [...SUMMARY, ...(isAcrossBlock ? [] : DETAILS), ...(name === 'rootAdmin' ? ['isBanned'] : [])]
    expect(Object.keys(answer.profile).sort()).toEqual(fields.sort())
    expect(answer.status).toEqual({
      canViewProfile: canView,
      followStatus: { follower: 'following', pending: 'pending' }[name as string] ?? 'not_following',
      followBackStatus: 'not_following',
      isBlockedByProfile: name === 'blocked',
      hasBlockedProfile: name === 'blocker',
    })
    expect(answer.stats).toEqual({ followerCount: isAcrossBlock ? 0 : 1, followingCount: 0 })
    expect(answer.followers.map(({ id }) => id)).toEqual(canView ? [viewers.follower.userId] : [])
    expect(answer.createdRooms.map((room) => room.name)).toEqual(canView ? [`Oda ${turn}`] : [])
    expect(answer.posts.map(({ description }) => description)).toEqual(canView ? ['herkese'] : [])
    expect(answer.following).toEqual([])
    if (name !== 'rootAdmin') expect(answer).not.toHaveProperty('actions')
    expect(JSON.stringify(answer)).not.toMatch(/Hash|password/)
  })

  it('[PROF-41] is for nobody who is logged out', async () => {
    for (const route of ['profile-consolidated', 'profile-consolidated-guest', 'username'])
      expect(await api.get(`/api/users/${route}/${target.username}`)).toMatchObject({ status: 401 })
  })

  it('[PROF-42] follows each change with the next answer, which is never cached', async () => {
    await openPrivateProfile()
    const { member, follower } = viewers
    expect((await lookUp(member)).headers.get('cache-control')).toBe('private, no-store')
    const pair = { followerId: follower.userId, followingId: target.userId }
    await post(target, '/follow/remove-follower', pair)
    expect(await profileFor(follower)).toMatchObject({
      status: { canViewProfile: false, followStatus: 'not_following' },
      stats: { followerCount: 0 },
      followers: [],
      createdRooms: [],
    })
    await follow(follower, { request: true })
    await post(target, '/follow/accept-follow', pair)
    expect((await profileFor(follower)).status.canViewProfile).toBe(true)
    await post(target, '/users/block', { blockedUsername: follower.username })
    expect((await profileFor(follower)).status).toMatchObject({ canViewProfile: false, isBlockedByProfile: true })
  })

  it('[PROF-43] has the privacy settings under the name too, except across a block', async () => {
    await openPrivateProfile()
    const byName = async (viewer: TestUser) =>
      (await api.get(`/api/users/username/${target.username}`, as(viewer))).body
    expect(await byName(viewers.member)).toMatchObject({ user: { ...PRIVACY_DEFAULTS, accountPrivacy: 'private' } })
    for (const viewer of [viewers.blocked, viewers.blocker])
      expect(Object.keys((await byName(viewer)).user as object).sort()).toEqual([...SUMMARY, 'status'].sort())
  })

  it('[PROF-49] links at most 50 rooms, and none that is closed', async () => {
    updateDatabase(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 60)
       insert into room (name, foldedName, capacity, isList, isActive, ownerId, createdAt, updatedAt)
       select 'Çok ${turn} ' || i, 'cok ${turn} ' || i, 10, 1, i % 10 > 0, ?, 0, 0 from n`,
      target.userId,
    )
    const { createdRooms } = await profileFor(viewers.guest)
    expect(createdRooms).toHaveLength(50)
    expect(createdRooms.filter(({ name }) => name.endsWith('0'))).toEqual([])
  })

  it('[PROF-51] is read 240 times at once by one person, and then four times in a second', async () => {
    const limited = await openTestApi()
    stopClock()
    const reader = await limited.region.createGuest('meraklı')
    const read = async () => (await limited.get('/api/users/profile-consolidated/meraklı', as(reader))).status
    const statuses: number[] = []
    for (let times = 0; times < 240; times++) statuses.push(await read())
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await read()).toBe(429)
    limited.region.clockOffset.aheadMs += 1_000
    expect([await read(), await read(), await read(), await read(), await read()]).toEqual([200, 200, 200, 200, 429])
    await limited.close()
  })
})
