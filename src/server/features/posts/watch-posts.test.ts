import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MAX_WATCHED_USERS } from '../../../shared/posts/limits.ts'
import type { EventName } from '../../../shared/protocol/catalogue.ts'
import { openPostsApi, type PostsApi } from '../../testing/fixtures/posts-api.ts'
import type { TestClient, TestUser } from '../../testing/fixtures/test-region.ts'
import { changeRole } from '../accounts/roles/change-role.ts'
import { setOwnPrivacy } from '../accounts/users/set-own-privacy.ts'
import { blockUser } from '../relations/block-user.ts'
import { unfollowUser } from '../relations/unfollow-user.ts'

let api: PostsApi
let ada: TestUser
let can: TestUser
let deniz: TestUser
let turn: number

beforeAll(async () => {
  api = await openPostsApi({ MEYDAN_LIMIT_SCALE: '1000' })
})
afterAll(() => api.close())
beforeEach(async () => {
  ;({ ada, can, deniz, turn } = await api.createPeople())
})

const POST_EVENTS = [
  'postCreated',
  'postArchived',
  'postDeleted',
  'postCountsChanged',
  'postCommented',
  'postCommentDeleted',
] as const satisfies readonly EventName[]

async function watch(viewer: TestUser, owner: TestUser = ada): Promise<TestClient> {
  const client = await api.region.connectAs(viewer)
  expect(await client.request('watchPosts', { userId: owner.userId })).toMatchObject({ success: true })
  return client
}

/** How many events of posts the client has received, after all that were sent before. */
async function countPostEvents(client: TestClient): Promise<number> {
  await client.request('getRooms', {})
  return POST_EVENTS.reduce((sum, name) => sum + client.countEvents(name), 0)
}

/** Does everything that emits an event of posts; returns how many events that are. */
async function doEverything(): Promise<number> {
  const { id } = await api.publish(ada)
  await api.call('POST', `/posts/like/${id}`, can)
  await api.call('DELETE', `/posts/like/${id}`, can)
  const { comment } = (await api.call('POST', `/posts/comment/${id}`, ada, { content: 'selam' })).body
  await api.call('DELETE', `/posts/comment/${id}/${(comment as { id: number }).id}`, ada)
  await api.call('PUT', `/posts/archive/${id}`, ada)
  await api.call('PUT', `/posts/archive/${id}`, ada)
  await api.call('DELETE', `/posts/${id}`, ada)
  return 10
}

describe('watching the posts of a user', () => {
  it('[POST-22] brings each change to those who watch, and nothing to those who do not', async () => {
    const [watcher, owner] = [await watch(can), await watch(ada)]
    const bystander = await api.region.connectAs(can)
    const elsewhere = await watch(can, await api.createPremium(`emre${turn}`))
    const expected = await doEverything()
    for (const client of [watcher, owner]) expect(await countPostEvents(client)).toBe(expected)
    for (const client of [bystander, elsewhere]) expect(await countPostEvents(client)).toBe(0)
  })

  it('[POST-13] brings postArchived in both directions, and changes of an archived post to its owner alone', async () => {
    const { id } = await api.publish(ada)
    const [watcher, owner] = [await watch(can), await watch(ada)]
    await api.call('PUT', `/posts/archive/${id}`, ada)
    await watcher.waitForEvent('postArchived', ({ postId, isArchived }) => postId === id && isArchived === true)
    const before = await countPostEvents(watcher)
    await api.call('POST', `/posts/like/${id}`, ada)
    await owner.waitForEvent('postCountsChanged')
    expect(await countPostEvents(watcher)).toBe(before)
    await api.call('PUT', `/posts/archive/${id}`, ada)
    await watcher.waitForEvent('postArchived', ({ postId, isArchived }) => postId === id && isArchived === false)
    await api.call('PUT', `/posts/archive/${id}`, ada)
    await api.call('DELETE', `/posts/${id}`, ada)
    await owner.waitForEvent('postDeleted')
    await watcher.request('getRooms', {})
    expect(watcher.countEvents('postDeleted')).toBe(0)
  })

  it('[POST-22] ends with unwatchPosts', async () => {
    const watcher = await watch(can)
    await watcher.request('unwatchPosts', { userId: ada.userId })
    await doEverything()
    expect(await countPostEvents(watcher)).toBe(0)
  })

  it('[POST-32] reaches eight users on one connection; a ninth ends the longest watched', async () => {
    const owners: TestUser[] = []
    for (let index = 0; index <= MAX_WATCHED_USERS; index++)
      owners.push(await api.createPremium(`sahip${turn}x${index}`))
    const client = await api.region.connectAs(can)
    const watchOwner = (index: number) => client.request('watchPosts', { userId: owners[index]?.userId ?? 0 })
    for (let index = 0; index < MAX_WATCHED_USERS; index++) await watchOwner(index)
    // Watched again, it is the latest.
    await watchOwner(0)
    await watchOwner(MAX_WATCHED_USERS)
    for (const owner of owners) await api.publish(owner)
    expect(await countPostEvents(client)).toBe(MAX_WATCHED_USERS)
    const received = client.transport.received.flatMap((value) => (value[2] === 'postCreated' ? [value[3]] : []))
    expect(JSON.stringify(received)).not.toContain(`"userId":${owners[1]?.userId},"type"`)
  })

  it('[POST-21] brings no comment of a user whom the viewer has blocked, and its counts', async () => {
    await api.region.appContext.execute(blockUser, can, { blockedUsername: deniz.username })
    const { id } = await api.publish(ada)
    const [watcher, owner] = [await watch(can), await watch(ada)]
    await api.call('POST', `/posts/comment/${id}`, deniz, { content: 'gizli kalsın' })
    await owner.waitForEvent('postCommented')
    await watcher.waitForEvent('postCountsChanged', ({ commentCount }) => commentCount === 1)
    expect(JSON.stringify(watcher.transport.received)).not.toContain('izli kals')
  })
})

describe('watching ends, and nothing that follows is sent,', () => {
  it.each([
    [
      'when the owner blocks the viewer',
      () => api.region.appContext.execute(blockUser, ada, { blockedUsername: can.username }),
    ],
    [
      'when the viewer blocks the owner',
      () => api.region.appContext.execute(blockUser, can, { blockedUsername: ada.username }),
    ],
    [
      'when the account becomes private',
      () => api.region.appContext.execute(setOwnPrivacy, ada, { accountPrivacy: 'private' }),
    ],
  ])('[POST-23] %s', async (_, end) => {
    const [watcher, owner] = [await watch(can), await watch(ada)]
    expect(await end()).toMatchObject({ success: true })
    await watcher.waitForEvent('postsClosed', ({ userId }) => userId === ada.userId)
    const expected = await doEverything()
    expect(await countPostEvents(watcher)).toBe(0)
    expect(await countPostEvents(owner)).toBeGreaterThanOrEqual(expected - 2)
    expect(owner.countEvents('postsClosed')).toBe(0)
    expect(await watcher.request('watchPosts', { userId: ada.userId })).toMatchObject({ code: 'Forbidden' })
  })

  it('[POST-23] when the follower of a private account unfollows, and not for other followers', async () => {
    for (const user of [can, deniz]) await api.follow(user, ada)
    await api.makePrivate(ada)
    const [watcher, other] = [await watch(can), await watch(deniz)]
    const pair = { followerId: can.userId, followingId: ada.userId }
    await api.region.appContext.execute(unfollowUser, can, pair)
    await watcher.waitForEvent('postsClosed')
    await api.publish(ada)
    await other.waitForEvent('postCreated')
    expect([await countPostEvents(watcher), other.countEvents('postsClosed')]).toEqual([0, 0])
  })

  it('[POST-23] when a root admin who may see all loses the role', async () => {
    const [root, other] = [
      await api.region.createRootAdmin(`kök${turn}`),
      await api.region.createRootAdmin(`baş${turn}`),
    ]
    await api.makePrivate(ada)
    const watcher = await watch(root)
    const change = { username: root.username, role: 'member' } as const
    expect(await api.region.appContext.execute(changeRole, other, change)).toMatchObject({ previousRole: 'rootadmin' })
    const { token } = await api.region.renewToken(root)
    await watcher.waitForEvent('sessionReplaced')
    await watcher.request('userConnected', { token })
    await watcher.waitForEvent('postsClosed')
    await api.publish(ada)
    expect(await countPostEvents(watcher)).toBe(0)
  })

  it('[POST-23] on every device of the viewer', async () => {
    const watchers = [await watch(can), await watch(can)]
    await api.region.appContext.execute(blockUser, ada, { blockedUsername: can.username })
    for (const watcher of watchers) await watcher.waitForEvent('postsClosed')
  })
})

it('[POST-25] postArchived of a client is accepted and does nothing', async () => {
  const { id } = await api.publish(ada)
  const watcher = await watch(can)
  const client = await api.region.connectAs(can)
  expect(await client.request('postArchived', { postId: id, isArchived: true })).toEqual({ success: true })
  expect(await countPostEvents(watcher)).toBe(0)
  expect((await api.call('GET', `/posts/${id}`, can)).body).toMatchObject({ post: { isArchived: false } })
})
