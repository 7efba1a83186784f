import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  COMMENTS_PER_PAGE,
  LIKES_PER_PAGE,
  MAX_COMMENT_LENGTH,
  MAX_COMMENT_LINES,
  MAX_DESCRIPTION_LINES,
  POSTS_PER_PAGE,
} from '../../../shared/posts/limits.ts'
import type { Post, PostComment } from '../../../shared/posts/post.ts'
import {
  COMMENT_EMPTY_TEXT,
  POST_ARCHIVED_TEXT,
  POST_DELETED_TEXT,
  POST_REPORTED_TEXT,
  POST_UNARCHIVED_TEXT,
} from '../../../shared/posts/texts.ts'
import type { EventName } from '../../../shared/protocol/catalogue.ts'
import { onUserRemoved } from '../../model/sessions/transactions.ts'
import { openPostsApi, type PostsApi } from '../../testing/fixtures/posts-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { blockUser } from '../relations/block-user.ts'
import { commands } from './commands.ts'
import { purgePosts } from './purge-posts.ts'
import { removePostsOf } from './remove-user.ts'

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

/** The body of an answer that is no refusal. */
async function ok(method: string, path: string, user: TestUser, body?: object): Promise<Record<string, unknown>> {
  const answer = await api.call(method, path, user, body)
  expect(answer.body).toMatchObject({ success: true })
  return answer.body
}

/** All pages of a list, and their number. */
async function readPages(path: string, user: TestUser): Promise<{ posts: Post[]; pages: number }> {
  const posts: Post[] = []
  let next: string | null = ''
  let pages = 0
  while (next !== null) {
    const separator = path.includes('?') ? '&' : '?'
    const answer = await ok('GET', next ? `${path}${separator}before=${next}` : path, user)
    posts.push(...(answer.posts as Post[])) // the schema of the route
    next = answer.next as string | null
    pages++
  }
  return { posts, pages }
}
const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)
const postOf = async (id: number, user: TestUser) => (await ok('GET', `/posts/${id}`, user)).post as Post
const comment = async (id: number, user: TestUser, content: string) =>
  (await ok('POST', `/posts/comment/${id}`, user, { content })).comment as PostComment

/** Publishes posts a second apart. */
async function publishMany(count: number): Promise<number[]> {
  const ids: number[] = []
  for (let index = 0; index < count; index++) {
    api.region.clockOffset.aheadMs += 1_000
    ids.push((await api.publish(ada)).id)
  }
  return ids
}

describe('the posts of a user', () => {
  it('[POST-06] are listed newest first, oldest first or by score, in pages without gaps and doubles', async () => {
    const ids = await publishMany(POSTS_PER_PAGE * 2 + 1)
    const newestFirst = ids.toReversed()
    const path = `/posts/user/${ada.userId}`
    for (const query of ['', '?sort=createdAt_DESC']) {
      const { posts, pages } = await readPages(path + query, can)
      expect([idsOf(posts), pages]).toEqual([newestFirst, 3])
    }
    expect(idsOf((await readPages(`${path}?sort=createdAt_ASC`, can)).posts)).toEqual(ids)
    const [first = 0, second = 0] = ids
    await comment(second, can, 'güzel')
    await ok('POST', `/posts/like/${first}`, can)
    const byScore = [second, first, ...newestFirst.filter((id) => id !== first && id !== second)]
    expect(idsOf((await readPages(`${path}?sort=score`, can)).posts)).toEqual(byScore)
    expect((await api.call('GET', `${path}?sort=best`, can)).body).toMatchObject({ code: 'InvalidInput' })
    for (const before of ['', 'x', '1-', '-1-1', "1-1' or 1"])
      expect((await api.call('GET', `${path}?before=${before}`, can)).body).toMatchObject({ code: 'InvalidInput' })
  })

  it('[POST-07] are read from one index in each order, without sorting', () => {
    for (const [key, direction, side] of [
      ['createdAt', 'desc', '<'],
      ['createdAt', 'asc', '>'],
      ['score', 'desc', '<'],
    ]) {
      const plan = api.query<{ detail: string }>(
        `explain query plan select * from post where userId = +1 and isArchived = +0 and deletedAt is null
         and (${key}, id) ${side} (+5, +5) order by ${key} ${direction}, id ${direction} limit 13`,
      )
      expect(plan).toHaveLength(1)
      expect(plan[0]?.detail).toContain(key === 'score' ? 'postByScore' : 'postByTime')
    }
  })

  it('[POST-08] have one point for each like and two for each user who has commented', async () => {
    const { id } = await api.publish(ada)
    const scores: number[] = []
    const note = async () => scores.push((await postOf(id, ada)).score)
    await ok('POST', `/posts/like/${id}`, can)
    await note()
    const first = await comment(id, can, 'bir')
    await note()
    const second = await comment(id, can, 'iki')
    await note()
    await comment(id, deniz, 'üç')
    await note()
    await ok('DELETE', `/posts/comment/${id}/${first.id}`, can)
    await note()
    await ok('DELETE', `/posts/comment/${id}/${second.id}`, can)
    await note()
    await ok('DELETE', `/posts/like/${id}`, can)
    await note()
    expect(scores).toEqual([1, 3, 3, 5, 5, 3, 2])
    const counted = api.query(
      `select score = (select count(*) from postLike where postId = post.id)
         + 2 * (select count(distinct userId) from postComment where postId = post.id) as isRight from post where id = ?`,
      id,
    )
    expect(counted).toEqual([{ isRight: 1 }])
  })

  it('[POST-09] have counts, the latest likes and comments, and whether the viewer likes them', async () => {
    const { id } = await api.publish(ada, { description: 'deniz :)' })
    for (const user of [can, deniz]) {
      api.region.clockOffset.aheadMs += 1_000
      await ok('POST', `/posts/like/${id}`, user)
    }
    for (const text of ['bir', 'iki', 'üç', 'dört']) await comment(id, can, text)
    const post = await postOf(id, can)
    expect(post).toMatchObject({
      id,
      userId: ada.userId,
      type: 'photo',
      isArchived: false,
      isLiked: true,
      durationMs: null,
    })
    expect(post).toMatchObject({
      likeCount: 2,
      commentCount: 4,
      Likes: [{ userId: deniz.userId }, { userId: can.userId }],
    })
    expect(post.url).toMatch(/^\/uploads\/[0-9a-f]{64}\.webp$/)
    expect(post.Comments.map(({ content }) => content)).toEqual(['İki', 'Üç', 'Dört'])
    expect(post.Comments[0]?.User).toEqual({
      id: can.userId,
      username: can.username,
      avatarUrl: null,
      gender: null,
      isGuest: false,
    })
    expect(await postOf(id, ada)).toMatchObject({ isLiked: false })
    const { posts } = await readPages(`/posts/user/${ada.userId}`, can)
    expect(posts).toEqual([post])
  })

  it('[POST-18] are counted without the archive and deleted ones', async () => {
    const [first, second] = await publishMany(3)
    const count = async () => (await ok('GET', `/posts/user/${ada.userId}`, can)).postCount
    expect(await count()).toBe(3)
    await ok('PUT', `/posts/archive/${first}`, ada)
    expect(await count()).toBe(2)
    await ok('DELETE', `/posts/${first}`, ada)
    await ok('DELETE', `/posts/${second}`, ada)
    expect(await count()).toBe(1)
  })
})

describe('the archive', () => {
  it('[POST-11] takes a post of the owner and gives it back, and the request may say which', async () => {
    const { id } = await api.publish(ada)
    const put = (body?: object) => ok('PUT', `/posts/archive/${id}`, ada, body)
    expect(await put()).toMatchObject({ postId: id, isArchived: true, message: POST_ARCHIVED_TEXT })
    expect(await put()).toMatchObject({ postId: id, isArchived: false, message: POST_UNARCHIVED_TEXT })
    for (const isArchived of [true, true, false, false]) expect(await put({ isArchived })).toMatchObject({ isArchived })
    for (const user of [can, deniz])
      expect((await api.call('PUT', `/posts/archive/${id}`, user)).body).toMatchObject({ code: 'Forbidden' })
    expect(await postOf(id, can)).toMatchObject({ isArchived: false })
  })

  it('[POST-12] shows its posts to their owner alone', async () => {
    const ids = await publishMany(POSTS_PER_PAGE + 1)
    for (const id of ids) await ok('PUT', `/posts/archive/${id}`, ada)
    const archive = `/posts/user/archive/${ada.userId}`
    const { posts, pages } = await readPages(archive, ada)
    expect([idsOf(posts), pages]).toEqual([ids.toReversed(), 2])
    expect(posts.every((post) => post.isArchived)).toBe(true)
    for (const user of [ada, can]) expect((await readPages(`/posts/user/${ada.userId}`, user)).posts).toEqual([])
    const root = await api.region.createRootAdmin(`kök${turn}`)
    for (const user of [can, root]) {
      expect((await api.call('GET', archive, user)).body).toMatchObject({ code: 'Forbidden' })
      for (const [method, path, body] of [
        ['GET', `/posts/${ids[0]}`],
        ['GET', `/posts/comment/${ids[0]}`],
        ['GET', `/posts/like/${ids[0]}`],
        ['POST', `/posts/like/${ids[0]}`],
        ['POST', `/posts/comment/${ids[0]}`, { content: 'merhaba' }],
        ['POST', '/posts/report', { postId: ids[0] }],
        ['PUT', `/posts/archive/${ids[0]}`],
        ['DELETE', `/posts/${ids[0]}`],
      ] as const)
        expect([path, await api.call(method, path, user, body)]).toMatchObject([path, { status: 404 }])
    }
    expect((await postOf(ids[0] ?? 0, ada)).isArchived).toBe(true)
  })
})

describe('likes', () => {
  it('[POST-14] count once for each user, and are taken back', async () => {
    const { id } = await api.publish(ada)
    for (const user of [can, can, deniz]) await ok('POST', `/posts/like/${id}`, user)
    expect(await postOf(id, can)).toMatchObject({ likeCount: 2, isLiked: true })
    const answer = await ok('DELETE', `/posts/like/${id}`, can)
    expect(answer).toMatchObject({ postId: id, likeCount: 1, score: 1, Likes: [{ userId: deniz.userId }] })
    await ok('DELETE', `/posts/like/${id}`, can)
    expect(await postOf(id, can)).toMatchObject({ likeCount: 1, isLiked: false })
  })

  it('[POST-10] are listed by pages, the latest first', async () => {
    const { id } = await api.publish(ada)
    const count = LIKES_PER_PAGE + 5
    const users = await Promise.all(
      Array.from({ length: count }, (_, index) => api.region.createMember(`beğenen${turn}x${index}`)),
    )
    for (const user of users) {
      api.region.clockOffset.aheadMs += 1
      await ok('POST', `/posts/like/${id}`, user)
    }
    const first = await ok('GET', `/posts/like/${id}`, can)
    const second = await ok('GET', `/posts/like/${id}?before=${first.next}`, can)
    const listed = [...(first.users as { id: number }[]), ...(second.users as { id: number }[])]
    expect(idsOf(listed)).toEqual(users.map(({ userId }) => userId).toReversed())
    expect([first.likeCount, second.next]).toEqual([count, null])
  })
})

describe('comments', () => {
  it('[POST-15] are not empty after trimming, have a bound, and mentions and emoji as in chat', async () => {
    const { id } = await api.publish(ada)
    for (const content of ['', '  \n ', '\u200b\u202e', 'x'.repeat(MAX_COMMENT_LENGTH + 1)]) {
      const { body } = await api.call('POST', `/posts/comment/${id}`, can, { content })
      expect(body).toMatchObject({ code: 'InvalidInput' })
      if (content.length <= 4) expect(body).toMatchObject({ message: COMMENT_EMPTY_TEXT, path: 'content' })
    }
    expect(await postOf(id, can)).toMatchObject({ commentCount: 0, score: 0 })
    const text = `  selam @[{${deniz.username}}] @kimse${turn} :)  `
    expect((await comment(id, can, text)).content).toBe(`Selam @[{${deniz.username}}] kimse${turn} 🙂`)
  })

  it('[POST-10] are listed by pages, the latest first', async () => {
    const { id } = await api.publish(ada)
    const ids: number[] = []
    for (let index = 0; index <= COMMENTS_PER_PAGE; index++) ids.push((await comment(id, can, `yorum ${index}`)).id)
    const first = await ok('GET', `/posts/comment/${id}`, deniz)
    const second = await ok('GET', `/posts/comment/${id}?before=${first.next}`, deniz)
    const listed = [...(first.comments as PostComment[]), ...(second.comments as PostComment[])]
    expect(idsOf(listed)).toEqual(ids.toReversed())
    expect([first.commentCount, second.next]).toEqual([COMMENTS_PER_PAGE + 1, null])
  })

  it('[POST-17] are deleted by their author and by the owner of the post, and by nobody else', async () => {
    const { id } = await api.publish(ada)
    const [first, second] = [await comment(id, can, 'bir'), await comment(id, can, 'iki')]
    const remove = (commentId: number, user: TestUser) => api.call('DELETE', `/posts/comment/${id}/${commentId}`, user)
    const root = await api.region.createRootAdmin(`kök${turn}`)
    for (const user of [deniz, root]) expect((await remove(first.id, user)).body).toMatchObject({ code: 'Forbidden' })
    expect(await remove(first.id, can)).toMatchObject({ status: 200 })
    expect(await remove(second.id, ada)).toMatchObject({ status: 200 })
    expect(await remove(second.id, ada)).toMatchObject({ status: 404 })
    expect(await postOf(id, can)).toMatchObject({ commentCount: 0, score: 0, Comments: [] })
  })

  it('[POST-17] are deleted by the post that they stand at only', async () => {
    const [one, other] = [await api.publish(ada), await api.publish(ada)]
    const { id } = await comment(one.id, can, 'bir')
    expect(await api.call('DELETE', `/posts/comment/${other.id}/${id}`, ada)).toMatchObject({ status: 404 })
    expect(await postOf(one.id, can)).toMatchObject({ commentCount: 1 })
  })

  it('[POST-21] of users whom the viewer has blocked are not shown, and are counted', async () => {
    const { id } = await api.publish(ada)
    await comment(id, can, 'görünmez')
    await comment(id, ada, 'görünür')
    await api.region.appContext.execute(blockUser, deniz, { blockedUsername: can.username })
    const post = await postOf(id, deniz)
    expect(post.Comments.map(({ content }) => content)).toEqual(['Görünür'])
    expect(post.commentCount).toBe(2)
    const { comments } = await ok('GET', `/posts/comment/${id}`, deniz)
    expect(JSON.stringify(comments)).not.toContain('Görünmez')
  })
})

describe('a deleted post', () => {
  it('[POST-18] is gone at once for everybody, and only its owner deletes it', async () => {
    const { id } = await api.publish(ada)
    await ok('POST', `/posts/like/${id}`, can)
    await comment(id, can, 'bir')
    const root = await api.region.createRootAdmin(`kök${turn}`)
    for (const user of [can, root])
      expect((await api.call('DELETE', `/posts/${id}`, user)).body).toMatchObject({ code: 'Forbidden' })
    expect(await ok('DELETE', `/posts/${id}`, ada)).toMatchObject({ message: POST_DELETED_TEXT })
    for (const user of [ada, can])
      for (const path of [`/posts/${id}`, `/posts/comment/${id}`, `/posts/like/${id}`])
        expect(await api.call('GET', path, user)).toMatchObject({ status: 404 })
    expect((await readPages(`/posts/user/${ada.userId}`, can)).posts).toEqual([])
  })

  it('[POST-18] loses its rows to a job, and neither its id nor that of a comment is given again', async () => {
    const { id } = await api.publish(ada)
    const { id: commentId } = await comment(id, can, 'bir')
    await ok('POST', `/posts/like/${id}`, can)
    await ok('DELETE', `/posts/${id}`, ada)
    await purge()
    for (const table of ['postLike', 'postComment', 'postFile'])
      expect(api.query(`select * from ${table} where postId = ?`, id)).toEqual([])
    expect(api.query('select * from post where id = ?', id)).toEqual([])
    const next = await api.publish(ada)
    expect(next.id).toBe(id + 1)
    expect((await comment(next.id, can, 'iki')).id).toBe(commentId + 1)
  })
})

describe('a report', () => {
  it('[POST-26] keeps the post and its comments as they were, once for each reporter, and says that it was received', async () => {
    const { id } = await api.publish(ada, { description: 'kötü söz' })
    await comment(id, can, 'yorum')
    const owner = await api.region.connectAs(ada)
    for (const user of [can, can, deniz])
      expect(await ok('POST', '/posts/report', user, { postId: id })).toMatchObject({ message: POST_REPORTED_TEXT })
    await owner.request('getRooms', {})
    expect(
      ['postCountsChanged', 'newNotification', 'reportsChanged'].map((name) => owner.countEvents(name as EventName)),
    ).toEqual([0, 0, 0])
    expect((await api.call('POST', '/posts/report', ada, { postId: id })).body).toMatchObject({ code: 'Forbidden' })
    await ok('DELETE', `/posts/${id}`, ada)
    await purge()
    const reports = api.query<{ content: string; reportedId: number }>(
      "select content, reportedId from report join reportContent on id = reportId where kind = 'post' and subjectId = ?",
      id,
    )
    expect(reports).toHaveLength(2)
    const kept = JSON.parse(reports[0]?.content ?? '{}') as { post: { description: string }; comments: PostComment[] }
    expect([kept.post.description, kept.comments.map(({ content }) => content)]).toEqual(['kötü söz', ['Yorum']])
    expect(reports[0]?.reportedId).toBe(ada.userId)
    expect(await api.call('GET', `/posts/${id}`, ada)).toMatchObject({ status: 404 })
  })
})

describe('a user who is removed for good', () => {
  it('[POST-29] takes their posts at once, and their likes and comments with a job that counts them', async () => {
    const own = await api.publish(ada)
    const other = await api.createPremium(`emre${turn}`)
    const kept = await api.publish(other)
    await ok('POST', `/posts/like/${kept.id}`, ada)
    await comment(kept.id, ada, 'giden')
    await comment(kept.id, can, 'kalan')
    expect(commands.hooks?.map(({ hook }) => hook)).toContain(onUserRemoved)
    await removeUser(ada)
    expect(await api.call('GET', `/posts/${own.id}`, can)).toMatchObject({ status: 404 })
    await purge()
    expect(api.query('select * from post where userId = ?', ada.userId)).toEqual([])
    const post = await postOf(kept.id, can)
    expect(post).toMatchObject({ likeCount: 0, commentCount: 1, score: 2, Likes: [] })
    expect(post.Comments.map(({ content }) => content)).toEqual(['Kalan'])
    expect(api.query('select * from postPurgedUser')).toEqual([])
  })
})

it('[POST-15] [POST-31] hostile descriptions and comments are kept as text, without characters that turn the line', async () => {
  const hostile = '<img src=x onerror=alert(1)>\u202e"\'`{x}\u0000 <script>alert(1)</script>'
  const post = await api.publish(ada, { description: hostile })
  const kept = '<img src=x onerror=alert(1)>"\'`{x} <script>alert(1)</script>'
  expect((await postOf(post.id, can)).description).toBe(kept)
  expect((await comment(post.id, can, hostile)).content).toBe(kept)
})

it('[POST-80] descriptions and comments have few lines, with at most one blank one in a row', async () => {
  const wall = 'a\n \n\n\nb'
  const post = await api.publish(ada, { description: wall + '\nx'.repeat(400) })
  const { description } = await postOf(post.id, can)
  expect(description.slice(0, 6)).toBe('a\n\nb\nx')
  expect(description.split('\n')).toHaveLength(MAX_DESCRIPTION_LINES)
  expect(description.match(/x/g)).toHaveLength(400)
  const { content } = await comment(post.id, can, wall + '\nx'.repeat(200))
  expect(content.split('\n')).toHaveLength(MAX_COMMENT_LINES)
  expect((await comment(post.id, can, wall)).content).toBe('A\n\nb')
})

async function purge(): Promise<void> {
  let step: object = { removed: 1 }
  while ('removed' in step && step.removed) step = await api.region.appContext.execute(purgePosts, null, {})
}

/** What the hook of accounts does in its own transaction. */
async function removeUser(user: TestUser): Promise<void> {
  const { openForWriting } = await import('../../kernel/database/open.ts')
  const { WriterTransaction } = await import('../../kernel/database/transaction.ts')
  const db = openForWriting(api.region.appContext.config.databaseFile)
  const tx = new WriterTransaction(db, [])
  tx.begin(api.region.appContext.clock())
  removePostsOf(tx, user.userId)
  tx.commit()
  db.close()
}
