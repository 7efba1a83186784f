import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openPostsApi, type PostsApi } from '../../testing/fixtures/posts-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'

let api: PostsApi
let ada: TestUser
let can: TestUser
let deniz: TestUser

beforeAll(async () => {
  api = await openPostsApi({ MEYDAN_LIMIT_SCALE: '1000' })
})
afterAll(() => api.close())
beforeEach(async () => {
  ;({ ada, can, deniz } = await api.createPeople())
})

/** Type, post, latest sender, number of senders and text of a user's notifications of posts, the oldest first. */
const notificationsOf = ({ userId }: TestUser) =>
  api
    .query<Record<string, unknown>>(
      'select type, postId, senderId, senderCount, content from notification where recipientId = ? and postId is not null order by id',
      userId,
    )
    .map(({ type, postId, senderId, senderCount, content }) => [type, postId, senderId, senderCount, content])

it('[POST-33] likes and comments notify the owner of the post, gathered, and not of their own', async () => {
  const { id } = await api.publish(ada)
  for (const user of [ada, can, deniz, deniz]) {
    await api.call('POST', `/posts/like/${id}`, user)
    await api.call('POST', `/posts/comment/${id}`, user, { content: 'selam' })
  }
  const gathered = [
    ['like', id, deniz.userId, 2, ''],
    ['comment', id, deniz.userId, 2, ''],
  ]
  expect(notificationsOf(ada)).toEqual(gathered)
  for (const user of [can, deniz]) expect(notificationsOf(user)).toEqual([])
})

it('[POST-33] what is taken back is counted off', async () => {
  const { id } = await api.publish(ada)
  const commentOf = async (user: TestUser) => {
    const { body } = await api.call('POST', `/posts/comment/${id}`, user, { content: `selam @[{${deniz.username}}]` })
    return (body.comment as { id: number }).id // the route's schema
  }
  await api.call('POST', `/posts/like/${id}`, can)
  const [first, second] = [await commentOf(can), await commentOf(can)]
  await api.call('DELETE', `/posts/like/${id}`, can)
  await api.call('DELETE', `/posts/comment/${id}/${first}`, can)
  expect(notificationsOf(ada)).toEqual([['comment', id, can.userId, 1, '']])
  expect(notificationsOf(deniz)).toHaveLength(1)
  await api.call('DELETE', `/posts/comment/${id}/${second}`, ada)
  expect([notificationsOf(ada), notificationsOf(deniz)]).toEqual([[], []])
})

it('[POST-34] a mention in a comment notifies who may see the post, once, and neither its author nor the owner', async () => {
  const closed = await api.publish(ada)
  const follower = can
  await api.follow(follower, ada)
  await api.makePrivate(ada)
  const [clientOfDeniz, clientOfCan] = [await api.region.connectAs(deniz), await api.region.connectAs(can)]
  const names = [ada, can, deniz].map(({ username }) => `@${username}`).join(' ')
  await api.call('POST', `/posts/comment/${closed.id}`, ada, { content: names })
  await clientOfCan.waitForEvent('newNotification')
  expect(notificationsOf(can)).toEqual([['commentMention', closed.id, ada.userId, 1, names]])
  expect([notificationsOf(deniz), notificationsOf(ada)]).toEqual([[], []])
  await clientOfDeniz.request('getRooms', {})
  expect(clientOfDeniz.countEvents('newNotification')).toBe(0)
  expect(JSON.stringify(clientOfDeniz.transport.received)).not.toContain(names)
})

it('[POST-33] a post that is archived or deleted takes its notifications along', async () => {
  const [archived, deleted] = [await api.publish(ada), await api.publish(ada)]
  for (const { id } of [archived, deleted]) await api.call('POST', `/posts/like/${id}`, can)
  expect(notificationsOf(ada)).toHaveLength(2)
  await api.call('PUT', `/posts/archive/${archived.id}`, ada)
  await api.call('DELETE', `/posts/${deleted.id}`, ada)
  expect(notificationsOf(ada)).toEqual([])
})
