import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Post, PostComment } from '../../../shared/posts/post.ts'
import { routes } from '../../../shared/posts/protocol.ts'
import { routes as reactions } from '../../../shared/posts/reactions-protocol.ts'
import type { EventName } from '../../../shared/protocol/catalogue.ts'
import { Kind } from '../../../shared/protocol/frame.ts'
import { canFetchPostFile } from '../../model/posts/file-queries.ts'
import { createGhostMember } from '../../testing/fixtures/ghost-member.ts'
import { openPostsApi, type PostsApi } from '../../testing/fixtures/posts-api.ts'
import type { TestClient, TestUser } from '../../testing/fixtures/test-region.ts'
import { liftBan } from '../moderation/lift-ban.ts'

let api: PostsApi
let admin: TestUser
let ghost: TestUser
/** The owner of `post`. */
let ada: TestUser
let can: TestUser
let post: Post
let turn = 0

beforeAll(async () => {
  api = await openPostsApi({ MEYDAN_LIMIT_SCALE: '1000' })
  admin = await api.region.createRootAdmin('kök')
})
afterAll(() => api.close())
beforeEach(async () => {
  ;({ ada, can, turn } = await api.createPeople())
  ghost = await createGhostMember(api.region, admin, `hayalet${turn}`)
  api.query('update user set premiumUntil = ?, isShownPremium = 1 where id = ?', 4e12, ghost.userId)
  post = await api.publish(ada)
})

const lift = () => api.region.appContext.execute(liftBan, admin, { username: ghost.username })
async function ok(method: string, path: string, user: TestUser, body?: object): Promise<Record<string, unknown>> {
  const answer = await api.call(method, path, user, body)
  expect([path, answer.status]).toEqual([path, 200])
  return answer.body
}
const like = (user: TestUser) => ok('POST', `/posts/like/${post.id}`, user)
const unlike = (user: TestUser) => ok('DELETE', `/posts/like/${post.id}`, user)
const comment = async (user: TestUser, content: string) =>
  (await ok('POST', `/posts/comment/${post.id}`, user, { content })).comment as PostComment // the route's schema
const postAs = async (user: TestUser) => (await ok('GET', `/posts/${post.id}`, user)).post as Post // the route's schema

const canFetch = ({ userId, sessionId }: TestUser, { url }: Post) => {
  const actor = { userId, sessionId, role: userId === admin.userId ? ('rootadmin' as const) : ('member' as const) }
  return canFetchPostFile(api.region.appContext.reader, actor, url.replace('/uploads/', ''))
}

/** Paths of every route that reads posts, by its name, of one owner and one post. */
const readPaths = (owner: TestUser, id: number): Record<string, readonly string[]> => ({
  postsOfUser: ['', '?sort=createdAt_ASC', '?sort=score'].map((sort) => `/posts/user/${owner.userId}${sort}`),
  archivedPosts: [`/posts/user/archive/${owner.userId}`],
  postById: [`/posts/${id}`],
  likesOfPost: [`/posts/like/${id}`],
  commentsOfPost: [`/posts/comment/${id}`],
  consolidatedProfile: [`/users/profile-consolidated/${owner.username}`],
})
async function readAll(viewer: TestUser, owner: TestUser, id: number): Promise<[string, number, string][]> {
  const answers: [string, number, string][] = []
  for (const path of Object.values(readPaths(owner, id)).flat()) {
    const { status, body } = await api.call('GET', path, viewer)
    answers.push([path, status, JSON.stringify({ ...body, cursor: 0 })])
  }
  return answers
}

async function watch(viewer: TestUser): Promise<TestClient> {
  const client = await api.region.connectAs(viewer)
  for (const { userId } of [ada, ghost])
    expect(await client.request('watchPosts', { userId })).toMatchObject({ success: true })
  client.transport.received.length = 0
  return client
}
/** The logged events that a client has received, but those of everybody's profile. */
async function takeEvents(client: TestClient): Promise<[EventName, Record<string, unknown>][]> {
  await client.request('getRooms', {})
  const logged = client.transport.received.splice(0).filter(([kind]) => kind === Kind.event)
  return logged.map(([, , name, payload]) => [name as EventName, payload as Record<string, unknown>])
}

describe('what a ghost posts', () => {
  it('[POST-90] every route that reads posts is in the list of this test', () => {
    const reading = Object.entries({ ...routes, ...reactions }).filter(([, { method }]) => method === 'GET')
    expect(Object.keys(readPaths(ada, post.id))).toEqual(expect.arrayContaining(reading.map(([name]) => name)))
  })

  it('[POST-90] changes no answer that others get, during the ban and after it', async () => {
    await comment(can, 'önceki')
    const hidden = await api.publish(ghost)
    await ok('DELETE', `/posts/${hidden.id}`, ghost)
    const before = await Promise.all([ada, can].map((viewer) => readAll(viewer, ada, post.id)))
    const beforeOfGhost = await readAll(can, ghost, hidden.id)
    expect(beforeOfGhost.map(([, status]) => status)).toEqual([200, 200, 200, 403, 404, 404, 404, 200])
    await like(ghost)
    await comment(ghost, `gizli @${can.username}`)
    const published = await api.publish(ghost)
    for (const isArchived of [true, false]) await ok('PUT', `/posts/archive/${published.id}`, ghost, { isArchived })
    const isUnchanged = async () => {
      expect(await Promise.all([ada, can].map((viewer) => readAll(viewer, ada, post.id)))).toEqual(before)
      const ofGhost = (await readAll(can, ghost, published.id)).map(([, ...answer]) => answer)
      expect(ofGhost).toEqual(beforeOfGhost.map(([, ...answer]) => answer))
    }
    await isUnchanged()
    expect([ghost, admin, can].map((viewer) => canFetch(viewer, published))).toEqual([true, true, false])
    for (const path of [`/posts/like/${published.id}`, `/posts/comment/${published.id}`])
      expect((await api.call('POST', path, can, { content: 'nerede' })).status).toBe(404)
    expect(api.query('select * from notification where senderId = ?', ghost.userId)).toEqual([])
    await lift()
    await isUnchanged()
  })

  it('[POST-91] is seen by the ghost and root admins, and counted for them alone', async () => {
    await comment(can, 'herkese')
    await like(ghost)
    const { id } = await comment(ghost, 'gizli')
    const published = await api.publish(ghost)
    for (const viewer of [ghost, admin]) {
      const shown = await postAs(viewer)
      expect(shown).toMatchObject({ likeCount: 1, commentCount: 2, score: 5, isLiked: viewer === ghost })
      expect(shown.Likes).toEqual([{ userId: ghost.userId }])
      expect(shown.Comments.map(({ content }) => content)).toEqual(['Herkese', 'Gizli'])
      expect(await ok('GET', `/posts/like/${post.id}`, viewer)).toMatchObject({ likeCount: 1, users: [{}] })
      expect(await ok('GET', `/posts/comment/${post.id}`, viewer)).toMatchObject({
        commentCount: 2,
        comments: [{}, {}],
      })
      expect(await ok('GET', `/posts/user/${ghost.userId}`, viewer)).toMatchObject({
        postCount: 1,
        posts: [{ id: published.id }],
      })
    }
    expect(await postAs(can)).toMatchObject({ likeCount: 0, commentCount: 1, score: 2, Likes: [] })
    expect((await api.call('DELETE', `/posts/comment/${post.id}/${id}`, ada)).status).toBe(404)
    await lift()
    await ok('DELETE', `/posts/comment/${post.id}/${id}`, ghost)
    await unlike(ghost)
    for (const viewer of [ghost, admin, can])
      expect(await postAs(viewer)).toMatchObject({ likeCount: 0, commentCount: 1, score: 2, isLiked: false })
    await like(ghost)
    expect(await postAs(can)).toMatchObject({ likeCount: 1 })
  })

  it('[POST-92] sends nothing to others, and to the ghost and root admins every event with their counts', async () => {
    const clients = {
      ada: await watch(ada),
      can: await watch(can),
      ghost: await watch(ghost),
      admin: await watch(admin),
    }
    await like(ghost)
    const { id } = await comment(ghost, `gizli @${can.username}`)
    await ok('DELETE', `/posts/comment/${post.id}/${id}`, ghost)
    await unlike(ghost)
    const published = await api.publish(ghost)
    for (const isArchived of [true, false]) await ok('PUT', `/posts/archive/${published.id}`, ghost, { isArchived })
    await ok('DELETE', `/posts/${published.id}`, ghost)
    for (const viewer of ['ghost', 'admin'] as const) {
      const events = await takeEvents(clients[viewer])
      expect(events.map(([name]) => name)).toEqual([
        'postCountsChanged',
        'postCommented',
        'postCountsChanged',
        'postCommentDeleted',
        'postCountsChanged',
        'postCountsChanged',
        'postCreated',
        'postArchived',
        'postArchived',
        'postDeleted',
      ])
      const counts = events.flatMap(([, { likeCount, commentCount }]) =>
        likeCount === undefined ? [] : [[likeCount, commentCount]],
      )
      expect(counts).toEqual([
        [1, 0],
        [1, 1],
        [1, 0],
        [0, 0],
      ])
    }
    for (const viewer of ['ada', 'can'] as const) expect(await takeEvents(clients[viewer])).toEqual([])
  })

  it('[POST-94] is marked for root admins, live and in pages, and never for the ghost', async () => {
    const clients = { ghost: await watch(ghost), admin: await watch(admin) }
    await comment(can, 'herkese')
    await like(can)
    await like(ghost)
    await comment(ghost, 'gizli')
    const published = await api.publish(ghost)
    const marks = async (viewer: TestUser) => {
      const { users } = await ok('GET', `/posts/like/${post.id}`, viewer)
      const { comments } = await ok('GET', `/posts/comment/${post.id}`, viewer)
      const { posts } = await ok('GET', `/posts/user/${ghost.userId}`, viewer)
      const lists = [users, comments, posts, (await postAs(viewer)).Comments] as { isGhost?: true }[][]
      return lists.map((list) => list.map(({ isGhost = false }) => isGhost))
    }
    expect(await marks(admin)).toEqual([[true, false], [true, false], [true], [false, true]])
    expect(await marks(ghost)).toEqual([[false, false], [false, false], [false], [false, false]])
    const live = async (viewer: 'ghost' | 'admin') =>
      (await takeEvents(clients[viewer]))
        .filter(([name]) => name === 'postCommented' || name === 'postCreated')
        .map(([name, { isGhost = false }]) => [name, isGhost])
    expect(await live('admin')).toEqual([
      ['postCommented', false],
      ['postCommented', true],
      ['postCreated', true],
    ])
    expect(JSON.stringify(await takeEvents(clients.ghost))).not.toContain('isGhost')
    expect(published).not.toHaveProperty('isGhost')
  })

  it('[POST-93] stays hidden when it was taken out of the archive during the ban', async () => {
    await lift()
    const old = await api.publish(ghost)
    await ok('PUT', `/posts/archive/${old.id}`, ghost)
    api.query('update user set isGhost = 1 where id = ?', ghost.userId)
    await ok('PUT', `/posts/archive/${old.id}`, ghost)
    expect((await api.call('GET', `/posts/${old.id}`, can)).status).toBe(404)
    expect(await ok('GET', `/posts/user/${ghost.userId}`, can)).toMatchObject({ posts: [], postCount: 0 })
    expect(await ok('GET', `/posts/user/${ghost.userId}`, ghost)).toMatchObject({ posts: [{}], postCount: 1 })
  })
})
