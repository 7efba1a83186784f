import type { Post, PostComment, PostCounts } from '../../../../shared/posts/post.ts'
import { Kind, type Payload } from '../../../../shared/protocol/frame.ts'
import type { CommentId, PostId, UserId } from '../../../../shared/protocol/ids.ts'
import { FakeEnvironment } from '../../../core/platform/testing/fake-environment.ts'
import { createRoomPage, RoomHarness } from '../../../model/room-chat/testing/room-harness.ts'
import { PostFeed } from '../lists/post-feed.ts'

/** Whose posts are shown. */
export const OWNER_ID: UserId = 7
const START_MS = Date.parse('2026-01-01T11:00:00Z')

/** A photo of the owner; each id is one second later than the previous one. */
export function createPost(id: PostId, changes: Partial<Post> = {}): Post {
  return {
    id,
    userId: OWNER_ID,
    type: 'photo',
    url: `/uploads/${id}.webp`,
    mediumUrl: `/uploads/${id}-medium.webp`,
    thumbnailUrl: `/uploads/${id}-small.webp`,
    width: 1200,
    height: 900,
    durationMs: null,
    blur: null,
    description: `Gönderi ${id}`,
    isArchived: false,
    createdAt: START_MS + id * 1000,
    score: 0,
    likeCount: 0,
    commentCount: 0,
    isLiked: false,
    Likes: [],
    Comments: [],
    ...changes,
  }
}

export function createComment(id: CommentId, postId: PostId, userId: UserId = 9): PostComment {
  const User = { id: userId, username: `kişi${userId}`, avatarUrl: null, gender: null, isGuest: false }
  return { id, postId, content: `Yorum ${id}`, createdAt: START_MS + id * 1000, User }
}

/** The counts of a post without likes and comments, with changes. */
export function createCounts(postId: PostId, changes: Partial<PostCounts> = {}): PostCounts {
  const none = { score: 0, likeCount: 0, commentCount: 0, Likes: [], commentIds: [], like: null }
  return { postId, userId: OWNER_ID, ...none, ...changes }
}

/** A connected tab whose server answers by the test's hand. */
export class PostsHarness {
  readonly environment = new FakeEnvironment()
  readonly client = new RoomHarness(this.environment)
  readonly feed = new PostFeed(this.client.live)
  private seq = 100

  async connect(): Promise<this> {
    // Each watch is answered at once.
    this.environment.onTransport = (transport) => {
      transport.onSent = (value) => {
        if (value[0] === Kind.request && value[2] === 'watchPosts')
          transport.receive([Kind.answer, value[1], { success: true, cursor: this.seq }])
      }
    }
    await this.client.openRoom(createRoomPage())
    return this
  }

  /** An event of the log; returns its seq. */
  receive(name: string, payload: Payload): number {
    this.environment.transport.receive([Kind.event, ++this.seq, name, payload])
    return this.seq
  }

  receiveEphemeral(name: string, payload: Payload): void {
    this.environment.transport.receive([Kind.ephemeral, name, payload])
  }

  count(command: string): number {
    return this.environment.transport.count(command)
  }
}

/** Requests that the test answers, in order. */
export class Requests<Input, Answer> {
  readonly inputs: Input[] = []
  private readonly answers: ((answer: Answer) => void)[] = []

  readonly send = (input: Input): Promise<Answer> => {
    this.inputs.push(input)
    const { promise, resolve } = Promise.withResolvers<Answer>()
    this.answers.push(resolve)
    return promise
  }

  /** Answers the oldest request that waits. */
  answer(answer: Answer): void {
    const resolve = this.answers.shift()
    if (!resolve) throw new Error('no request waits')
    resolve(answer)
  }
}
