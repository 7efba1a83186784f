import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FollowChange } from '../../../shared/relations/follow-protocol.ts'
import { FOLLOWS_PER_PAGE, MAX_FOLLOWING } from '../../../shared/relations/follow-rules.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { query } from '../../model/schema/query.ts'
import { type ApiResponse, openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { followRoutes } from './follow-routes.ts'
import { relationRoutes } from './routes.ts'

let api: TestApi
let ada: TestUser
let can: TestUser
let deniz: TestUser
let kök: TestUser
let guest: TestUser
let turn = 0

beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' }, (app, _, { appContext }) => {
    followRoutes(app, appContext)
    relationRoutes(app, appContext)
  })
})
afterAll(() => api.close())
beforeEach(async () => {
  const { region } = api
  turn++
  ada = await region.createMember(`ada${turn}`)
  can = await region.createMember(`can${turn}`)
  deniz = await region.createMember(`deniz${turn}`)
  kök = await region.createRootAdmin(`kök${turn}`)
  guest = await region.createGuest(`konuk${turn}`)
})

const as = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` })
type Action = 'follow' | 'unfollow' | 'accept-follow' | 'reject-follow' | 'remove-follower'
const send = (actor: TestUser, action: Action, follower: TestUser, following: TestUser, more: object = {}) =>
  api.post(
    `/api/follow/${action}`,
    { followerId: follower.userId, followingId: following.userId, ...more },
    as(actor),
  ) as Promise<ApiResponse>
const follow = (follower: TestUser, following: TestUser, more: object = {}) =>
  send(follower, 'follow', follower, following, more)
const statusOf = async (actor: TestUser, follower: TestUser, following: TestUser) =>
  (await api.get(`/api/follow/is-following/${follower.userId}/${following.userId}`, as(actor))).body
const listsOf = async (actor: TestUser, user: TestUser, query = '') =>
  (await api.get(`/api/follow/followers-following/${user.userId}${query}`, as(actor))).body
const setPrivacy = async (user: TestUser, accountPrivacy: 'public' | 'private') => {
  const client = await api.region.connectAs(user)
  await client.request('updatePrivacySettings', { accountPrivacy })
  client.disconnect()
}

it('[PROF-90] counts of a user are shown across no block, by this route as by the profile', async () => {
  await follow(deniz, can)
  expect(await statusOf(ada, ada, can)).toMatchObject({ followerCount: 1 })
  for (const [blocker, blocked] of [
    [can, ada],
    [ada, can],
  ] as const) {
    await api.post('/api/users/block', { blockedUsername: blocked.username }, as(blocker))
    expect(await statusOf(ada, ada, can)).toMatchObject({ followerCount: 0, followingCount: 0 })
    expect(await statusOf(can, ada, can)).toMatchObject({ followerCount: 1 })
    expect(await statusOf(kök, ada, can)).toMatchObject({ followerCount: 1 })
    await api.post('/api/users/unblock', { blockedUsername: blocked.username }, as(blocker))
  }
})

describe('follows', () => {
  it('[REL-24] follow a public account at once, count, and end', async () => {
    expect((await follow(ada, can)).body).toEqual({
      success: true,
      message: 'Kullanıcı başarıyla takip edildi.',
      status: 'following',
    })
    expect(await statusOf(ada, ada, can)).toMatchObject({ isFollowing: true, status: 'accepted', followerCount: 1 })
    expect(await statusOf(can, can, ada)).toMatchObject({
      isFollowing: false,
      status: null,
      followBackStatus: 'following',
      followingCount: 1,
    })
    expect((await follow(ada, can)).body).toMatchObject({ success: true, status: 'following' })
    expect(await listsOf(can, can)).toMatchObject({ followers: [{ id: ada.userId, isGuest: false }], following: [] })
    expect((await send(ada, 'unfollow', ada, can)).body).toMatchObject({ message: 'Takibi bıraktınız.' })
    expect((await send(ada, 'unfollow', ada, can)).body).toMatchObject({ success: true })
    expect(await statusOf(ada, ada, can)).toMatchObject({ followStatus: 'not_following', followerCount: 0 })
  })

  it('[REL-26] ask a private account, which accepts or rejects', async () => {
    await setPrivacy(can, 'private')
    expect(await follow(ada, can)).toMatchObject({
      status: 403,
      body: { success: false, message: 'Bu kullanıcıya istek gönderilmelidir.' },
    })
    expect((await follow(ada, can, { request: true })).body).toMatchObject({
      message: 'Takip isteğiniz gönderildi.',
      status: 'pending',
    })
    expect(await statusOf(ada, ada, can)).toMatchObject({ isFollowing: false, status: 'pending', followerCount: 0 })
    expect((await send(can, 'accept-follow', ada, can)).body).toMatchObject({ status: 'following' })
    expect(await statusOf(ada, ada, can)).toMatchObject({ isFollowing: true, followerCount: 1 })
    expect((await send(can, 'reject-follow', ada, can)).body).toMatchObject({ status: 'following' })

    await follow(deniz, can, { request: true })
    expect((await send(can, 'reject-follow', deniz, can)).body).toMatchObject({ status: 'not_following' })
    expect(await send(can, 'accept-follow', deniz, can)).toMatchObject({ status: 404 })
    expect((await follow(can, ada, { request: true })).body).toMatchObject({
      message: 'Bu kullanıcı public olduğu için direkt takip edilebilir.',
    })
  })

  it('[REL-26] become public: pending requests are accepted', async () => {
    await setPrivacy(can, 'private')
    await follow(ada, can, { request: true })
    await follow(deniz, can, { request: true })
    await setPrivacy(can, 'public')
    expect(await statusOf(ada, ada, can)).toMatchObject({ isFollowing: true, followerCount: 2 })
  })

  it('[REL-25] are refused for guests, oneself, unknown users and across a block', async () => {
    expect(await follow(guest, can)).toMatchObject({ status: 403 })
    expect((await follow(ada, guest)).body).toMatchObject({ message: 'Misafirler takip edilemez.' })
    expect((await follow(ada, ada)).body).toMatchObject({ message: 'Kendini takip edemezsin.' })
    expect(await follow(ada, { ...can, userId: 999_999 })).toMatchObject({ status: 404 })
    for (const [blocker, blocked] of [
      [ada, can],
      [deniz, ada],
    ] as const) {
      const { username } = blocked
      await api.post('/api/users/block', { blockedUsername: username }, as(blocker))
      const other = blocker === ada ? can : deniz
      expect((await follow(ada, other)).body).toMatchObject({ message: 'Bu kullanıcıyı takip edemezsin.' })
    }
  })

  it('[REL-27] end in both directions with a block', async () => {
    await follow(ada, can)
    await follow(can, ada)
    await api.post('/api/users/block', { blockedUsername: can.username }, as(ada))
    expect(await statusOf(ada, ada, can)).toMatchObject({
      followStatus: 'not_following',
      followBackStatus: 'not_following',
    })
  })

  it('[REL-28] are changed only by the user whose side they are on', async () => {
    await setPrivacy(can, 'private')
    await follow(ada, can, { request: true })
    for (const [actor, action] of [
      [deniz, 'follow'],
      [deniz, 'unfollow'],
      [can, 'unfollow'],
      [deniz, 'accept-follow'],
      [ada, 'accept-follow'],
      [ada, 'reject-follow'],
      [kök, 'accept-follow'],
      [ada, 'remove-follower'],
      [kök, 'remove-follower'],
    ] as const) {
      expect(await send(actor, action, ada, can)).toMatchObject({ status: 403, body: { code: 'ActorMismatch' } })
    }
    expect(await statusOf(can, ada, can)).toMatchObject({ status: 'pending' })
    expect(await statusOf(deniz, ada, can)).toMatchObject({ code: 'Forbidden' })
    expect(await statusOf(kök, ada, can)).toMatchObject({ status: 'pending' })
  })

  it('[REL-29] are sent to the two users only, and a rejection to the one who rejects', async () => {
    await setPrivacy(can, 'private')
    const [adaClient, canClient, bystander] = [
      await api.region.connectAs(ada, 1),
      await api.region.connectAs(can, 1),
      await api.region.connectAs(deniz, 1),
    ]
    await follow(ada, can, { request: true })
    const pending = { followerId: ada.userId, followingId: can.userId, status: 'pending', followerCount: 0 }
    for (const client of [adaClient, canClient])
      expect(await client.waitForEvent('followStatusUpdate')).toMatchObject(pending)
    await send(can, 'reject-follow', ada, can)
    expect(await canClient.waitForEvent('removeNotification')).toMatchObject({ requestId: ada.userId, type: 'follow' })
    await follow(ada, can, { request: true })
    await send(can, 'accept-follow', ada, can)
    for (const client of [adaClient, canClient])
      expect(await client.waitForEvent('userFollowed')).toMatchObject({
        status: 'following',
        followerCount: 1,
        followingCount: 1,
      })
    await send(ada, 'unfollow', ada, can)
    const isAda = (change: Record<string, unknown>) => (change as FollowChange).followerId === ada.userId
    for (const client of [adaClient, canClient])
      expect(await client.waitForEvent('userUnfollowed', isAda)).toMatchObject({
        status: 'not_following',
        followerCount: 0,
      })
    await bystander.request('getRooms', {})
    expect(JSON.stringify(bystander.transport.received)).not.toMatch(
      /userFollow|followStatus|Unfollow|newNotification|removeNotification/,
    )
    for (const client of [adaClient, canClient]) expect(client.countEvents('followStatusUpdate')).toBe(2)
    expect(adaClient.countEvents('removeNotification')).toBe(0)
  })

  it('[REL-60] are ended by the followed user, who takes a follower off; both are notified, and nobody else', async () => {
    const [adaClient, canClient, bystander] = [
      await api.region.connectAs(ada, 1),
      await api.region.connectAs(can, 1),
      await api.region.connectAs(deniz, 1),
    ]
    await follow(ada, can)
    await follow(can, ada)
    expect((await send(can, 'remove-follower', ada, can)).body).toEqual({
      success: true,
      message: 'Takipçi çıkarıldı.',
      status: 'not_following',
    })
    expect(await statusOf(ada, ada, can)).toMatchObject({
      followStatus: 'not_following',
      followBackStatus: 'following',
      followerCount: 0,
    })
    for (const client of [adaClient, canClient])
      expect(await client.waitForEvent('userUnfollowed')).toMatchObject({
        followerId: ada.userId,
        status: 'not_following',
        followerCount: 0,
      })
    expect((await send(can, 'remove-follower', ada, can)).body).toMatchObject({ success: true })
    await setPrivacy(ada, 'private')
    await follow(deniz, ada, { request: true })
    expect((await send(ada, 'remove-follower', deniz, ada)).body).toMatchObject({ status: 'pending' })
    await bystander.request('getRooms', {})
    expect(bystander.countEvents('userUnfollowed')).toBe(0)
    expect(adaClient.countEvents('userUnfollowed')).toBe(1)
  })

  it('[REL-30] are listed in pages, for everyone or, of a private account, for its followers and root admins', async () => {
    await follow(ada, can)
    await setPrivacy(can, 'private')
    expect(await listsOf(ada, can)).toMatchObject({ followers: [{ id: ada.userId }], followerCount: 1 })
    expect(await listsOf(kök, can)).toMatchObject({ success: true })
    expect(await listsOf(deniz, can)).toMatchObject({ code: 'Forbidden', message: 'Bu hesap gizli.' })
    expect(await listsOf(deniz, ada)).toMatchObject({ following: [{ id: can.userId }] })
    await api.post('/api/users/block', { blockedUsername: deniz.username }, as(ada))
    expect(await listsOf(deniz, ada)).toMatchObject({ code: 'Forbidden' })
    expect(await listsOf(deniz, { ...ada, userId: 999_999 })).toMatchObject({ code: 'NotFound' })
  })

  it('[REL-30] page through more followers than one answer holds', async () => {
    const { region } = api
    const followers: TestUser[] = []
    for (let index = 0; index < FOLLOWS_PER_PAGE + 3; index++) {
      followers.push(await region.createMember(`izleyen${turn}x${index}`))
    }
    for (const one of followers) await follow(one, can)
    const first = await listsOf(ada, can)
    expect([(first.followers as unknown[]).length, first.followerCount]).toEqual([FOLLOWS_PER_PAGE, followers.length])
    const rest = await listsOf(ada, can, `?followersBefore=${first.nextFollowers}`)
    const ids = [...(first.followers as { id: number }[]), ...(rest.followers as { id: number }[])].map(({ id }) => id)
    expect([new Set(ids).size, rest.nextFollowers]).toEqual([followers.length, null])
  })

  it('[REL-62] are counted with each change, as a count of the rows would say, and never below 0', async () => {
    await setPrivacy(can, 'private')
    await follow(deniz, ada)
    await follow(ada, can, { request: true })
    await follow(deniz, can, { request: true })
    await follow(kök, can, { request: true })
    await send(can, 'accept-follow', ada, can)
    await send(can, 'reject-follow', deniz, can)
    await setPrivacy(can, 'public')
    await send(kök, 'unfollow', kök, can)
    await send(can, 'remove-follower', ada, can)
    await send(can, 'remove-follower', ada, can)
    await follow(ada, can)
    await follow(ada, deniz)
    await api.post('/api/users/block', { blockedUsername: ada.username }, as(deniz))
    const db = openForWriting(api.region.appContext.config.databaseFile)
    // A lost count stays at 0 when the follow ends.
    db.prepare('update followCount set followerCount = 0 where userId = ?').run(can.userId)
    db.close()
    await send(ada, 'unfollow', ada, can)
    await follow(kök, can)
    const expected = [
      [ada, 0, 0],
      [can, 1, 0],
      [deniz, 0, 0],
      [kök, 0, 1],
    ] as const
    for (const [user, followerCount, followingCount] of expected)
      expect(await statusOf(user, user, user)).toMatchObject({ followerCount, followingCount })
    const countRows = query()((db) =>
      db.selectFrom('follow').select('followingId').where('isAccepted', '=', 1).groupBy('followingId'),
    )
    const own = [ada, can, deniz, kök].map(({ userId }) => userId)
    const followed = api.region.appContext.reader.all(countRows).map(({ followingId }) => followingId)
    expect(followed.filter((id) => own.includes(id))).toEqual([can.userId])
  })

  it('[REL-31] are refused beyond 5,000 of one user', async () => {
    // 5,000 registrations would take minutes.
    const db = openForWriting(api.region.appContext.config.databaseFile)
    db.pragma('foreign_keys = off')
    const insert = db.prepare('insert into follow (followerId, followingId, isAccepted, at) values (?, ?, 1, 1)')
    for (let other = 1; other <= MAX_FOLLOWING; other++) insert.run(ada.userId, 1_000_000 + other)
    db.close()
    expect(await follow(ada, can)).toMatchObject({ status: 409, body: { code: 'TooManyFollows' } })
  })
})
