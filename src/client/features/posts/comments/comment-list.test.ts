import { beforeEach, describe, expect, it } from 'vitest'
import type { PostComment } from '../../../../shared/posts/post.ts'
import type { Result } from '../../../../shared/protocol/result.ts'
import { ADA } from '../../../core/live/testing/fixture-users.ts'
import { flushPromises } from '../../../core/platform/testing/fake-environment.ts'
import type { PagedItems } from '../../../core/signals/live-list.ts'
import { createComment, OWNER_ID, PostsHarness, Requests } from '../testing/post-fixtures.ts'
import { CommentList } from './comment-list.ts'

type Page = PagedItems<PostComment, number>

let harness: PostsHarness
let pages: Requests<number | null, Result<Page>>
let list: CommentList

beforeEach(async () => {
  harness = await new PostsHarness().connect()
  pages = new Requests()
  const source = { fetchPage: pages.send, failureText: () => 'Yorumlar alınamadı.' }
  list = new CommentList(harness.feed, source, { id: 1, userId: OWNER_ID })
})

const shownIds = () => list.list.value?.items.map(({ id }) => id)
const latestFirst = (ids: number[], next: number | null = null, cursor = 100): Page => ({
  items: ids.map((id): PostComment => createComment(id, 1)),
  next,
  cursor,
})

async function openWith(page: Result<Page>): Promise<() => void> {
  const end = list.open()
  await flushPromises()
  pages.answer(page)
  await flushPromises()
  return end
}

describe('the comments of a post', () => {
  it('[POST-50] are the oldest first, with older ones by a click, and follow the events', async () => {
    const end = await openWith(latestFirst([9, 8], 8))
    expect(shownIds()).toEqual([8, 9])
    void list.loadOlder()
    pages.answer(latestFirst([7, 6]))
    await flushPromises()
    expect([shownIds(), pages.inputs]).toEqual([
      [6, 7, 8, 9],
      [null, 8],
    ])
    harness.receive('postCommented', { userId: OWNER_ID, comment: createComment(10, 1) })
    harness.feed.emitOwn(OWNER_ID, { kind: 'commented', comment: createComment(10, 1) })
    harness.receive('postCommented', { userId: OWNER_ID, comment: createComment(11, 2) })
    harness.receive('postCommentDeleted', { postId: 1, userId: OWNER_ID, commentId: 7 })
    expect(shownIds()).toEqual([6, 8, 9, 10])
    end()
    harness.receive('postCommentDeleted', { postId: 1, userId: OWNER_ID, commentId: 6 })
    expect(shownIds()).toEqual([6, 8, 9, 10])
  })

  it('[POST-49] [POST-50] have nothing that was deleted before they are loaded again, and what is sent meanwhile', async () => {
    await openWith(latestFirst([8]))
    const send = (id: number) => harness.feed.emitOwn(OWNER_ID, { kind: 'commented', comment: createComment(id, 1) })
    send(9)
    const cursor = harness.receive('postCommentDeleted', { postId: 1, userId: OWNER_ID, commentId: 9 })
    harness.receive('userUnblocked', { blockerId: ADA.id, blockedId: 3 })
    await flushPromises()
    send(10)
    pages.answer(latestFirst([8], null, cursor))
    await flushPromises()
    expect(shownIds()).toEqual([8, 10])
  })

  it('[POST-50] have what came while they were loaded, and nothing older than what is loaded', async () => {
    list.open()
    await flushPromises()
    harness.receive('postCommented', { userId: OWNER_ID, comment: createComment(9, 1) })
    harness.receive('postCommentDeleted', { postId: 1, userId: OWNER_ID, commentId: 8 })
    pages.answer(latestFirst([8, 7], 7))
    await flushPromises()
    expect(shownIds()).toEqual([7, 9])
    harness.receive('postCommented', { userId: OWNER_ID, comment: createComment(3, 1) })
    expect(shownIds()).toEqual([7, 9])
  })

  it('[POST-50] say why they could not be loaded, and load again', async () => {
    await openWith('disconnected')
    expect([list.failure.value, shownIds()]).toEqual(['Yorumlar alınamadı.', undefined])
    void list.loadOlder()
    pages.answer(latestFirst([2, 1]))
    await flushPromises()
    expect([list.failure.value, shownIds(), pages.inputs]).toEqual([null, [1, 2], [null, null]])
  })

  it('[POST-50] lose those of a user whom the viewer blocks', async () => {
    await openWith({ items: [createComment(2, 1, 5), createComment(1, 1, 6)], next: null, cursor: 100 })
    const block = { blockerUsername: 'ada', blockedUsername: 'kişi5', blockerId: ADA.id, blockedId: 5 }
    harness.receive('userBlocked', { ...block, blockerId: 5, blockedId: 6 })
    expect(shownIds()).toEqual([1, 2])
    harness.receive('userBlocked', block)
    expect(shownIds()).toEqual([1])
  })
})
