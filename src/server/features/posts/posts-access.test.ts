import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commands, routes } from '../../../shared/posts/protocol.ts'
import { routes as reactions } from '../../../shared/posts/reactions-protocol.ts'
import { openPostsApi, type PostsApi } from '../../testing/fixtures/posts-api.ts'
import { createPicture } from '../../testing/fixtures/test-pictures.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { endSession } from '../accounts/sessions/end-session.ts'
import { blockUser } from '../relations/block-user.ts'
import { followUser } from '../relations/follow-user.ts'
import { commentPost } from './comment-post.ts'
import { purgePosts } from './purge-posts.ts'

const viewers = [
  'guest',
  'member',
  'follower',
  'pending',
  'blocked',
  'blocker',
  'rootAdmin',
  'owner',
  'loggedOut',
  'nobody',
] as const
type ViewerName = (typeof viewers)[number]

/** A profile that is looked at, with everybody who looks. */
interface Scene {
  owner: TestUser
  users: Record<ViewerName, TestUser | null>
  /** Of the posts: one that everybody may see who may see the profile, and one in the archive. */
  open: { id: number; files: string[] }
  archived: { id: number; files: string[] }
  commentId: number
}

let api: PostsApi
let scenes: Record<'public' | 'private', Scene>

beforeAll(async () => {
  api = await openPostsApi({ MEYDAN_LIMIT_SCALE: '1000' })
  const rootAdmin = await api.region.createRootAdmin('kök')
  scenes = { public: await createScene('açık', rootAdmin), private: await createScene('gizli', rootAdmin) }
})
afterAll(() => api.close())

async function createScene(name: 'açık' | 'gizli', rootAdmin: TestUser): Promise<Scene> {
  const { execute } = api.region.appContext
  const owner = await api.createPremium(name)
  const create = (role: string) => api.region.createMember(`${role}${name}`)
  const [follower, blocked, blocker, loggedOut] = [
    await create('takip'),
    await create('engelli'),
    await create('engel'),
    await create('giden'),
  ]
  for (const user of [follower, blocked, blocker]) await api.follow(user, owner)
  const open = await publishPhoto(owner)
  const archived = await publishPhoto(owner)
  await api.call('PUT', `/posts/archive/${archived.id}`, owner)
  const commented = await execute(commentPost, owner, { postId: open.id, content: 'İlk' })
  if (!('comment' in commented)) throw new Error('no comment')
  if (name === 'gizli') await api.makePrivate(owner)
  const pending = await create('bekler')
  const request = { followerId: pending.userId, followingId: owner.userId, request: name === 'gizli' }
  await execute(followUser, pending, request)
  await execute(blockUser, owner, { blockedUsername: blocked.username })
  await execute(blockUser, blocker, { blockedUsername: owner.username })
  await execute(endSession, loggedOut, {})
  const guest = await api.region.createGuest(`konuk${name}`)
  const member = await create('üye')
  const users = { guest, member, follower, pending, blocked, blocker, rootAdmin, owner, loggedOut, nobody: null }
  return { owner, users, open, archived, commentId: commented.comment.id }
}

async function publishPhoto(owner: TestUser): Promise<{ id: number; files: string[] }> {
  const body = new FormData()
  body.set('type', 'photo')
  // Each post has bytes of its own: a file that is posted twice is seen by those who see either.
  body.set('file', new Blob([new Uint8Array(await createPicture('jpeg', 1_100, 60))]))
  const headers = { authorization: `Bearer ${owner.token}` }
  const answer = (await (await api.send('/api/posts', { method: 'POST', body, headers })).json()) as {
    post: { id: number; url: string; mediumUrl: string; thumbnailUrl: string }
  } // the route's schema
  const { id, url, mediumUrl, thumbnailUrl } = answer.post
  return { id, files: [url, mediumUrl, thumbnailUrl] }
}

async function fetchStatus(path: string, user: TestUser | null): Promise<number> {
  const headers = user ? { authorization: `Bearer ${user.token}` } : {}
  const response = await api.send(path, { headers })
  await response.arrayBuffer()
  return response.status
}

/** Who may see the posts of each account. */
const mayView: Record<'public' | 'private', readonly ViewerName[]> = {
  public: ['guest', 'member', 'follower', 'pending', 'rootAdmin', 'owner'],
  private: ['follower', 'rootAdmin', 'owner'],
}
const signedOut: readonly ViewerName[] = ['loggedOut', 'nobody']
/** Guests read and do nothing more. */
const mayAct = (viewer: ViewerName) => viewer !== 'guest'

describe.each(['public', 'private'] as const)('the posts of a %s account', (privacy) => {
  /** The status where the profile may be seen, where it may not, and where nobody is signed in. */
  const expected = (viewer: ViewerName, open: number, closed: number) =>
    signedOut.includes(viewer) ? 401 : mayView[privacy].includes(viewer) ? open : closed

  it.each(viewers)('[POST-19] [POST-20] and their files, as %s', async (viewer) => {
    const { owner, users, open, archived } = scenes[privacy]
    const user = users[viewer]
    const status = async (path: string) => (await api.call('GET', path, user)).status
    for (const sort of ['createdAt_DESC', 'createdAt_ASC', 'score'])
      expect([sort, await status(`/posts/user/${owner.userId}?sort=${sort}`)]).toEqual([
        sort,
        expected(viewer, 200, 403),
      ])
    for (const path of [`/posts/${open.id}`, `/posts/comment/${open.id}`, `/posts/like/${open.id}`])
      expect([path, await status(path)]).toEqual([path, expected(viewer, 200, 404)])
    for (const file of open.files) expect(await fetchStatus(file, user)).toBe(expected(viewer, 200, 404))

    const isOwner = viewer === 'owner'
    const isSignedOut = signedOut.includes(viewer)
    const hidden = isOwner ? 200 : isSignedOut ? 401 : 404
    for (const path of [`/posts/${archived.id}`, `/posts/comment/${archived.id}`, `/posts/like/${archived.id}`])
      expect([path, await status(path)]).toEqual([path, hidden])
    for (const file of archived.files) expect(await fetchStatus(file, user)).toBe(hidden)
    const archive = isOwner ? 200 : isSignedOut ? 401 : 403
    expect(await status(`/posts/user/archive/${owner.userId}`)).toBe(archive)
  })

  it.each(viewers)('[POST-16] [POST-20] and what is done with them, as %s', async (viewer) => {
    const { users, open, commentId } = scenes[privacy]
    const user = users[viewer]
    const act = async (method: string, path: string, body?: object) => (await api.call(method, path, user, body)).status
    const acted = mayAct(viewer) ? expected(viewer, 200, 404) : 403
    const content = 'Merhaba'
    expect(await act('POST', `/posts/like/${open.id}`)).toBe(acted)
    expect(await act('DELETE', `/posts/like/${open.id}`)).toBe(acted)
    expect(await act('POST', `/posts/comment/${open.id}`, { content })).toBe(acted)
    expect(await act('POST', '/posts/report', { postId: open.id })).toBe(
      viewer === 'owner' ? 403 : expected(viewer, 200, 404),
    )
    if (viewer === 'owner') return
    const ofOthers = mayAct(viewer) ? expected(viewer, 403, 404) : 403
    expect(await act('DELETE', `/posts/comment/${open.id}/${commentId}`)).toBe(ofOthers)
    expect(await act('PUT', `/posts/archive/${open.id}`)).toBe(ofOthers)
    expect(await act('DELETE', `/posts/${open.id}`)).toBe(ofOthers)
  })

  it.each(viewers)('[POST-20] [POST-22] and watching them live, as %s', async (viewer) => {
    const { owner, users } = scenes[privacy]
    const user = users[viewer]
    if (!user || viewer === 'loggedOut') {
      const client = api.region.openConnection()
      expect(await client.request('watchPosts', { userId: owner.userId })).toMatchObject({ code: 'NotSignedIn' })
      return
    }
    const client = await api.region.connectAs(user)
    const answer = await client.request('watchPosts', { userId: owner.userId })
    const allowed = mayView[privacy].includes(viewer)
    expect(answer).toMatchObject(allowed ? { success: true } : { code: 'Forbidden' })
  })
})

it('[POST-20] the tables above have every route and command of posts', () => {
  const reads = ['postsOfUser', 'archivedPosts', 'postById', 'likesOfPost', 'commentsOfPost']
  const changes = ['archivePost', 'deletePost', 'likePost', 'unlikePost', 'commentPost', 'deleteComment', 'reportPost']
  // A post is its author's own: who may publish is tested with uploads.
  expect(Object.keys({ ...routes, ...reactions }).toSorted()).toEqual(['createPost', ...reads, ...changes].toSorted())
  expect(Object.keys(commands).toSorted()).toEqual(['postArchived', 'unwatchPosts', 'watchPosts'])
})

describe('a file of a post', () => {
  it('[POST-20] that two users posted is seen by who sees either', async () => {
    const { open, users } = scenes.private
    const other = await api.createPremium('ikinci')
    await api.publish(other, { path: open.files[0]?.replace('/uploads/', '') ?? '' })
    expect(await fetchStatus(open.files[0] ?? '', users.member)).toBe(200)
    expect(await fetchStatus(open.files[1] ?? '', users.member)).toBe(404)
  })

  it('[POST-18] [POST-27] is gone with the post, and that of a reported one stays for root admins alone', async () => {
    const owner = await api.createPremium('silen')
    const member = await api.region.createMember('bakan')
    const root = scenes.public.users.rootAdmin
    const [plain, reported] = [await publishPhoto(owner), await publishPhoto(owner)]
    await api.call('POST', '/posts/report', member, { postId: reported.id })
    for (const { id } of [plain, reported])
      expect(await api.call('DELETE', `/posts/${id}`, owner)).toMatchObject({ status: 200 })
    const statuses = async (files: string[]) =>
      Promise.all(files.flatMap((file) => [owner, member, root].map((user) => fetchStatus(file, user))))
    const check = async () => {
      expect(await statuses(plain.files)).toEqual(Array(9).fill(404))
      expect(await statuses(reported.files)).toEqual(Array(3).fill([404, 404, 200]).flat())
    }
    await check()
    let step: object = { removed: 1 }
    while ('removed' in step && step.removed) step = await api.region.appContext.execute(purgePosts, null, {})
    await check()
    expect(api.query('select * from postFile where postId = ?', plain.id)).toEqual([])
    expect(api.query('select * from postFile where postId = ?', reported.id)).toEqual([])
    for (const file of reported.files)
      expect(api.query('select * from reportFile where path = ?', file.slice('/uploads/'.length))).toHaveLength(1)
  })
})
