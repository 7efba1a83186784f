import { beforeEach, describe, expect, it } from 'vitest'
import type { Post, PostCounts } from '../../../../shared/posts/post.ts'
import type { Result } from '../../../../shared/protocol/result.ts'
import { ADA } from '../../../core/live/testing/fixture-users.ts'
import { flushPromises } from '../../../core/platform/testing/fake-environment.ts'
import type { PagedItems } from '../../../core/signals/live-list.ts'
import { createComment, createCounts, createPost, OWNER_ID, PostsHarness, Requests } from '../testing/post-fixtures.ts'
import type { PostListOrder } from './post-changes.ts'
import { PostList } from './post-list.ts'

type Page = PagedItems<Post, string>

const FAR = 1_000_000
let harness: PostsHarness
let pages: Requests<string | null, Result<Page>>
let fetched: Requests<number, Post | null>
let likes: Requests<boolean, PostCounts | null>
let unarchivedCount: number

beforeEach(async () => {
  harness = await new PostsHarness().connect()
  pages = new Requests()
  fetched = new Requests()
  likes = new Requests()
  unarchivedCount = 0
})

function platformOf() {
  return {
    feed: harness.feed,
    viewerId: ADA.id,
    fetchPage: pages.send,
    failureText: () => 'Gönderiler alınamadı.',
    fetchPost: fetched.send,
    sendLike: (_: number, isLiked: boolean) => likes.send(isLiked),
    onUnarchived: () => void unarchivedCount++,
  }
}

function createList(order: PostListOrder = 'createdAt_DESC'): PostList {
  return new PostList(platformOf(), OWNER_ID, order)
}
const page = (items: Post[], cursor = FAR, next: string | null = null): Page => ({ items, next, cursor })

/** A list in which these posts are loaded. */
async function openWith(posts: Post[], order?: PostListOrder, next: string | null = null): Promise<PostList> {
  const list = createList(order)
  list.open()
  const loading = list.load(null)
  await flushPromises()
  pages.answer(page(posts, 100, next))
  await loading
  return list
}
const idsOf = (list: PostList) => list.list.value?.items.map(({ id }) => id)
const postOf = (list: PostList, id: number) => list.list.value?.items.find((post) => post.id === id)

describe('a list of posts', () => {
  it('[POST-46] is after events the same as fetched anew', async () => {
    const list = await openWith([createPost(3, { Comments: [createComment(5, 3, 8)] }), createPost(2), createPost(1)])
    harness.receive('postCreated', { post: createPost(4) })
    harness.receive('postCommented', { userId: OWNER_ID, comment: createComment(6, 3) })
    harness.receive('postCountsChanged', createCounts(3, { score: 4, commentCount: 2, commentIds: [5, 6] }))
    harness.receive('postCommentDeleted', { postId: 3, userId: OWNER_ID, commentId: 5 })
    harness.receive('postCountsChanged', createCounts(3, { score: 2, commentCount: 1, commentIds: [6] }))
    const own = { like: { userId: ADA.id, isLiked: true }, Likes: [{ userId: ADA.id }] }
    harness.receive('postCountsChanged', createCounts(2, { score: 1, likeCount: 1, ...own }))
    harness.receive('postDeleted', { postId: 1, userId: OWNER_ID })
    const user = { ...ADA, id: 9, username: 'yeni9', isGuest: false }
    harness.receive('userProfileUpdated', { user })
    const { id, username, avatarUrl, gender, isGuest } = user
    const renamed = { ...createComment(6, 3), User: { id, username, avatarUrl, gender, isGuest } }
    expect(list.list.value?.items).toEqual([
      createPost(4),
      createPost(3, { score: 2, commentCount: 1, Comments: [renamed] }),
      createPost(2, { score: 1, likeCount: 1, isLiked: true, Likes: [{ userId: ADA.id }] }),
    ])
  })

  it('[POST-94] marks what root admins receive of a ghost', async () => {
    const list = await openWith([createPost(1)])
    harness.receive('postCreated', { post: createPost(2), isGhost: true })
    harness.receive('postCommented', { userId: OWNER_ID, comment: createComment(6, 1), isGhost: true })
    expect(list.list.value?.items).toEqual([
      { ...createPost(2), isGhost: true },
      createPost(1, { Comments: [{ ...createComment(6, 1), isGhost: true }] }),
    ])
  })

  it('[POST-46] ignores the posts of others, and likes of others say nothing of its own', async () => {
    const list = await openWith([createPost(1, { isLiked: true })])
    const before = list.list.value
    harness.receive('postCreated', { post: createPost(9, { userId: 8 }) })
    harness.receive('postDeleted', { postId: 1, userId: 8 })
    expect(list.list.value).toBe(before)
    harness.receive('postCountsChanged', createCounts(1, { likeCount: 2, like: { userId: 3, isLiked: false } }))
    expect(postOf(list, 1)).toMatchObject({ isLiked: true, likeCount: 2 })
  })

  it('[POST-46] has a new post where its order and what is loaded allow it', async () => {
    const oldestFirst = await openWith([createPost(1), createPost(2)], 'createdAt_ASC')
    const partly = await openWith([createPost(1)], 'createdAt_ASC', '1-1')
    harness.receive('postCreated', { post: createPost(3) })
    expect([idsOf(oldestFirst), idsOf(partly)]).toEqual([[1, 2, 3], [1]])
  })

  it('[POST-49] keeps what a page does not have yet: it is from a region that lags', async () => {
    const list = createList()
    list.open()
    const first = list.load(null)
    await flushPromises()
    harness.receive('postDeleted', { postId: 2, userId: OWNER_ID })
    const seq = harness.receive('postCountsChanged', createCounts(3, { likeCount: 5 }))
    pages.answer(page([createPost(3), createPost(2)], seq - 2, '2-2'))
    await first
    expect([idsOf(list), postOf(list, 3)?.likeCount]).toEqual([[3], 5])
    // The next page was read after the events; a post that moved comes once.
    const second = list.load('2-2')
    await flushPromises()
    pages.answer(page([createPost(3), createPost(1)], seq))
    await second
    expect(idsOf(list)).toEqual([3, 1])
  })

  it('[POST-49] returns the text of a failure, and keeps the pages that are there', async () => {
    const list = await openWith([createPost(3)], 'createdAt_DESC', '3-3')
    const loading = list.load('3-3')
    await flushPromises()
    pages.answer('disconnected')
    expect([await loading, idsOf(list), pages.inputs]).toEqual(['Gönderiler alınamadı.', [3], [null, '3-3']])
  })

  it('[POST-48] watches the posts while it is open, and loads all its pages again when events were missed', async () => {
    const list = createList()
    const end = list.open()
    const loading = list.load(null)
    await flushPromises()
    pages.answer(page([createPost(3), createPost(2)], 100, '2-2'))
    await loading
    const second = list.load('2-2')
    await flushPromises()
    pages.answer(page([createPost(1)]))
    await second
    harness.environment.transport.drop()
    await harness.environment.advance(20_000)
    await harness.client.answerHello({ resumed: false })
    expect(harness.count('watchPosts')).toBe(1)
    pages.answer(page([createPost(4), createPost(3)], FAR, '3-3'))
    await flushPromises()
    expect(idsOf(list)).toEqual([3, 2, 1])
    pages.answer(page([createPost(2)]))
    await flushPromises()
    expect([idsOf(list), pages.inputs]).toEqual([
      [4, 3, 2],
      [null, '2-2', null, '3-3'],
    ])
    end()
    await flushPromises()
    expect(harness.count('unwatchPosts')).toBe(1)
    harness.receive('postDeleted', { postId: 4, userId: OWNER_ID })
    expect(idsOf(list)).toEqual([4, 3, 2])
  })

  it('[POST-54] is empty and closed when the viewer may not see the posts any more', async () => {
    const list = await openWith([createPost(1)])
    harness.receiveEphemeral('postsClosed', { userId: 8 })
    expect(list.isClosed.value).toBe(false)
    harness.receiveEphemeral('postsClosed', { userId: OWNER_ID })
    expect([list.isClosed.value, list.list.value]).toEqual([true, null])
  })
})

describe('the archive', () => {
  it('[POST-47] loses an unarchived post, with one report, and the list has it first', async () => {
    const list = await openWith([createPost(5), createPost(4)])
    const archive = await openWith(
      [createPost(3, { isArchived: true }), createPost(1, { isArchived: true })],
      'archive',
    )
    harness.feed.emitOwn(OWNER_ID, { kind: 'archived', postId: 3, isArchived: false })
    harness.receive('postArchived', { postId: 3, userId: OWNER_ID, isArchived: false })
    expect([idsOf(archive), unarchivedCount]).toEqual([[1], 1])
    fetched.answer(createPost(3))
    fetched.answer(createPost(3))
    await flushPromises()
    expect([idsOf(list), idsOf(archive)]).toEqual([[3, 5, 4], [1]])
  })

  it('[POST-47] has a post that was archived by its age, unless it was taken out again', async () => {
    const list = await openWith([createPost(4), createPost(2)])
    const archive = await openWith([createPost(3, { isArchived: true })], 'archive')
    harness.receive('postArchived', { postId: 4, userId: OWNER_ID, isArchived: true })
    harness.receive('postArchived', { postId: 2, userId: OWNER_ID, isArchived: true })
    fetched.answer(createPost(4, { isArchived: true }))
    fetched.answer(createPost(2, { isArchived: false }))
    await flushPromises()
    expect([idsOf(list), idsOf(archive), unarchivedCount]).toEqual([[], [4, 3], 0])
  })
})

describe('a single post', () => {
  it('[POST-55] stays on the screen of its owner when it is archived, and of nobody else', async () => {
    const own = createPost(1, { userId: ADA.id })
    const list = await openWith([createPost(1)], 'single')
    const ownList = new PostList({ ...platformOf(), fetchPage: async () => page([own], 100) }, ADA.id, 'single')
    ownList.open()
    await ownList.load(null)
    harness.receive('postCreated', { post: createPost(2) })
    for (const userId of [OWNER_ID, ADA.id]) harness.receive('postArchived', { postId: 1, userId, isArchived: true })
    expect([idsOf(list), postOf(ownList, 1)?.isArchived]).toEqual([[], true])
    harness.receive('postArchived', { postId: 1, userId: ADA.id, isArchived: false })
    harness.receive('postDeleted', { postId: 1, userId: OWNER_ID })
    expect([postOf(ownList, 1)?.isArchived, fetched.inputs]).toEqual([false, []])
  })
})

describe('a like', () => {
  const liked = (postId: number, isLiked: boolean, likeCount: number) =>
    createCounts(postId, { likeCount, like: { userId: ADA.id, isLiked } })

  it('[POST-45] shows at once, stays with the answer and its event, and counts once', async () => {
    const list = await openWith([createPost(1, { likeCount: 2 })])
    const done = list.setLiked(1, true)
    expect(postOf(list, 1)).toMatchObject({ isLiked: true, likeCount: 3 })
    // Somebody else's like arrives first: it does not know of this one.
    harness.receive('postCountsChanged', createCounts(1, { likeCount: 3, like: { userId: 5, isLiked: true } }))
    expect(postOf(list, 1)).toMatchObject({ isLiked: true, likeCount: 4 })
    likes.answer(liked(1, true, 4))
    expect(await done).toBe(true)
    harness.receive('postCountsChanged', liked(1, true, 4))
    expect(postOf(list, 1)).toMatchObject({ isLiked: true, likeCount: 4 })
  })

  it('[POST-45] does not go back to an answer that is older than the events', async () => {
    const list = await openWith([createPost(1)])
    const done = list.setLiked(1, true)
    harness.receive('postCountsChanged', liked(1, true, 1))
    harness.receive('postCountsChanged', createCounts(1, { likeCount: 2, like: { userId: 5, isLiked: true } }))
    likes.answer(liked(1, true, 1))
    await done
    expect(postOf(list, 1)).toMatchObject({ isLiked: true, likeCount: 2 })
  })

  it('[POST-45] is taken back on the screen when it fails, and quick clicks end in the last one', async () => {
    const list = await openWith([createPost(1, { likeCount: 1 })])
    const failing = list.setLiked(1, true)
    likes.answer(null)
    expect(await failing).toBe(false)
    expect(postOf(list, 1)).toMatchObject({ isLiked: false, likeCount: 1 })

    const quick = list.setLiked(1, true)
    void list.setLiked(1, false)
    void list.setLiked(1, true)
    void list.setLiked(1, false)
    expect([likes.inputs, postOf(list, 1)?.isLiked]).toEqual([[true, true], false])
    likes.answer(liked(1, true, 2))
    await flushPromises()
    expect([likes.inputs, postOf(list, 1)?.isLiked]).toEqual([[true, true, false], false])
    likes.answer(liked(1, false, 1))
    expect(await quick).toBe(true)
    expect(postOf(list, 1)).toMatchObject({ isLiked: false, likeCount: 1 })
  })
})
