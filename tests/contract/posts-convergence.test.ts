import fc from 'fast-check'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LiveClient } from '../../src/client/core/live/live-client.ts'
import { flushPromises } from '../../src/client/core/platform/testing/fake-environment.ts'
import type { PostListOrder } from '../../src/client/features/posts/lists/post-changes.ts'
import { PostFeed } from '../../src/client/features/posts/lists/post-feed.ts'
import { PostList } from '../../src/client/features/posts/lists/post-list.ts'
import { commentPost } from '../../src/server/features/posts/comment-post.ts'
import { createPost } from '../../src/server/features/posts/create-post.ts'
import { deleteComment } from '../../src/server/features/posts/delete-comment.ts'
import { deletePost } from '../../src/server/features/posts/delete-post.ts'
import { postRoutes } from '../../src/server/features/posts/routes.ts'
import { setLike } from '../../src/server/features/posts/set-like.ts'
import { setPostArchived } from '../../src/server/features/posts/set-post-archived.ts'
import { updateProfile } from '../../src/server/features/profiles/update-profile.ts'
import { blockUser } from '../../src/server/features/relations/block-user.ts'
import { unblockUser } from '../../src/server/features/relations/unblock-user.ts'
import { openForWriting } from '../../src/server/kernel/database/open.ts'
import type { NodeApp } from '../../src/server/kernel/http/node-app.ts'
import { openTestRegion, type TestRegion, type TestUser } from '../../src/server/testing/fixtures/test-region.ts'
import type { Post } from '../../src/shared/posts/post.ts'
import type { RouteAnswer } from '../../src/shared/protocol/catalogue.ts'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
import { bindings, RegionEnvironment, UserSession } from './region-environment.ts'

let region: TestRegion
const app: NodeApp = new Hono()
let run = 0

beforeAll(async () => {
  region = await openTestRegion({ MEYDAN_LIMIT_SCALE: '100000' })
  postRoutes(app, region.appContext)
})
afterAll(() => region.destroy())

const execute: TestRegion['appContext']['execute'] = (write, actor, input, options) =>
  region.appContext.execute(write, actor, input, options)

/** What may happen next; the number says how often. */
const happenings = {
  publish: 8,
  archive: 10,
  delete: 2,
  like: 12,
  unlike: 8,
  comment: 24,
  deleteComment: 10,
  block: 2,
  unblock: 4,
  changePicture: 2,
  holdFrames: 4,
  deliverFrames: 4,
}
type What = keyof typeof happenings
const whats = Object.keys(happenings) as What[] // its own keys
const happening = fc.record({
  what: fc.oneof(...whats.map((what) => ({ arbitrary: fc.constant(what), weight: happenings[what] }))),
  by: fc.constantFrom('owner' as const, 'viewer' as const, 'other' as const),
  /** Which of the posts, or of the latest comments: mostly the same post, so that it has more comments than are shown. */
  place: fc.constantFrom(0, 0, 0, 1, 2, 3),
})
type Happening = typeof happening extends fc.Arbitrary<infer H> ? H : never
type Name = Happening['by']

/** A tab that shows the posts of the owner in every order, and the archive of its own. */
class Tab {
  private readonly environment = new RegionEnvironment(region)
  private readonly live: LiveClient
  private readonly lists: PostList[]
  private readonly viewer: TestUser
  private pendingFetches = 0

  constructor(viewer: TestUser, owner: TestUser, name: string) {
    this.viewer = viewer
    this.live = new LiveClient(this.environment, new UserSession(viewer, name))
    const feed = new PostFeed(this.live)
    const orders: PostListOrder[] = ['createdAt_DESC', 'createdAt_ASC', 'score']
    if (viewer === owner) orders.push('archive')
    this.lists = orders.map((order) => {
      const path = order === 'archive' ? `user/archive/${owner.userId}` : `user/${owner.userId}?sort=${order}`
      const platform = {
        feed,
        viewerId: viewer.userId,
        fetchPage: async () => {
          const answer = await this.fetch<RouteAnswer<'postsOfUser'>>(path)
          return answer ? { ...answer, items: answer.posts } : 'disconnected'
        },
        failureText: () => 'failed',
        fetchPost: async (id: number) => (await this.fetch<{ post: Post }>(`${id}`))?.post ?? null,
        sendLike: async () => null,
      }
      return new PostList(platform, owner.userId, order)
    })
  }

  async open(): Promise<void> {
    this.live.start(0, Date.now())
    await expect.poll(() => this.live.isConnected(), { interval: 1 }).toBe(true)
    for (const list of this.lists) {
      list.open()
      expect(await list.load(null)).toBeNull()
    }
    await this.rest()
  }

  hold(): void {
    this.environment.isHeld = true
  }

  deliver(): Promise<void> {
    return this.environment.deliver()
  }

  /** Everything that is under way ends. */
  async rest(): Promise<void> {
    this.environment.isHeld = false
    for (let round = 0; round < 3 || this.pendingFetches > 0; round++) {
      await this.environment.deliver()
      // Answers follow events, so the others have been delivered before it.
      await this.live.request('getRooms', {})
      await flushPromises()
    }
  }

  /** Its posts by their ids: after a change of its score or of the archive a post keeps its place until the next load. */
  view() {
    return this.lists.map(({ list }) => list.value?.items.toSorted((one, other) => one.id - other.id))
  }

  close(): void {
    this.environment.disconnect()
  }

  private async fetch<Answer>(path: string): Promise<Answer | null> {
    this.pendingFetches++
    const headers = { authorization: `Bearer ${this.viewer.token}` }
    const answer = await app.request(`/api/posts/${path}`, { headers }, bindings)
    this.pendingFetches--
    return answer.ok ? ((await answer.json()) as Answer) : null // the schema of the route
  }
}

/** An owner, a viewer and somebody else, and a tab of the first two. */
class World {
  private readonly users: Record<Name, TestUser>
  private readonly stale: Tab[]
  private postIds: number[] = []
  private comments: { postId: number; commentId: number }[] = []
  private count = 0

  constructor(users: Record<Name, TestUser>) {
    this.users = users
    this.stale = this.createTabs('stale')
  }

  static async open(): Promise<World> {
    run++
    const users = {
      owner: await region.createMember(`ada${run}`),
      viewer: await region.createMember(`can${run}`),
      other: await region.createMember(`deniz${run}`),
    }
    makePremium(users.owner)
    const world = new World(users)
    await world.publish()
    for (const tab of world.stale) await tab.open()
    return world
  }

  async happen({ what, by, place }: Happening): Promise<void> {
    const user = this.users[by]
    const postId = this.postIds[place % Math.max(this.postIds.length, 1)] ?? 0
    const comment = this.comments.at(-1 - place) ?? { postId: 0, commentId: 0 }
    const { viewer, other, owner } = this.users
    const ways: Record<What, () => unknown> = {
      publish: () => this.publish(),
      archive: () => execute(setPostArchived, owner, { postId, isArchived: null }),
      delete: () => execute(deletePost, owner, { postId }),
      like: () => execute(setLike, user, { postId, isLiked: true }),
      unlike: () => execute(setLike, user, { postId, isLiked: false }),
      comment: () => this.comment(user, postId),
      deleteComment: () => execute(deleteComment, owner, comment),
      block: () => execute(blockUser, viewer, { blockedUsername: other.username }),
      unblock: () => execute(unblockUser, viewer, { blockedUsername: other.username }),
      changePicture: () => execute(updateProfile, user, { columns: { avatarUrl: `${++this.count}.webp` } }),
      holdFrames: () => this.stale.forEach((tab) => void tab.hold()),
      deliverFrames: () => Promise.all(this.stale.map((tab) => tab.deliver())),
    }
    await ways[what]()
    await flushPromises()
  }

  /** What the open tabs show, and what new ones show. */
  async compare() {
    for (const tab of this.stale) await tab.rest()
    const fresh = this.createTabs('fresh')
    for (const tab of fresh) await tab.open()
    const views = { stale: this.stale.map((tab) => tab.view()), fresh: fresh.map((tab) => tab.view()) }
    for (const tab of [...this.stale, ...fresh]) tab.close()
    return views
  }

  private createTabs(name: string): Tab[] {
    const { owner, viewer } = this.users
    return [new Tab(owner, owner, `${name}${run}`), new Tab(viewer, owner, `${name}${run}`)]
  }

  private async publish(): Promise<void> {
    // No more than a page.
    if (this.postIds.length >= 10) return
    const file = { type: 'photo', path: `${run}-${++this.count}.webp`, mediumPath: null, thumbnailPath: null } as const
    const shape = { sizeBytes: 1, width: 4, height: 3, durationMs: null, blur: null }
    const answer = await execute(createPost, this.users.owner, { ...file, ...shape, description: 'Gönderi' })
    if (answer instanceof Refusal) throw new Error(answer.body.code)
    this.postIds.push(answer.post.id)
  }

  private async comment(user: TestUser, postId: number): Promise<void> {
    const answer = await execute(commentPost, user, { postId, content: `Söz ${++this.count}` })
    if ('comment' in answer) this.comments.push({ postId, commentId: answer.comment.id })
  }
}

function makePremium({ userId }: TestUser): void {
  const db = openForWriting(region.appContext.config.databaseFile)
  db.prepare('update user set premiumUntil = ?, isShownPremium = 1 where id = ?').run(Number.MAX_SAFE_INTEGER, userId)
  db.close()
}

describe.each([
  ['10 sequences', 10, {}],
  ['30 sequences', 30, { tags: 'deep' }],
])('after any of %s of changes', (_, numRuns, options) => {
  it('[POST-24] open lists show what new ones show', options, async () => {
    const property = fc.asyncProperty(fc.array(happening, { maxLength: 40, size: 'max' }), async (sequence) => {
      const world = await World.open()
      for (const next of sequence) await world.happen(next)
      const { stale, fresh } = await world.compare()
      expect(stale).toEqual(fresh)
    })
    await fc.assert(property, { numRuns })
  })
})
