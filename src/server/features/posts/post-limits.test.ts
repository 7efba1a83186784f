import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  ADDRESS_COMMENT_CHARACTER_LIMIT,
  ADDRESS_COMMENT_LIMIT,
  ADDRESS_LIKE_LIMIT,
  ADDRESS_POST_BYTES_LIMIT,
  ADDRESS_POST_LIMIT,
  ADDRESS_POST_UPLOAD_LIMIT,
  COMMENT_CHARACTER_LIMIT,
  COMMENT_LIMIT,
  LIKE_LIMIT,
  MAX_COMMENT_LENGTH,
  POST_BYTES_LIMIT,
  POST_LIMIT,
} from '../../../shared/posts/limits.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { ADDRESS_MENTION_LIMIT, MENTION_LIMIT } from '../../../shared/room-chat/limits.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import type { NodeContext } from '../../kernel/http/node-app.ts'
import { PersonLimiters } from '../../kernel/limits/person-limiters.ts'
import { openPostsApi, type PostsApi } from '../../testing/fixtures/posts-api.ts'
import { stopClock } from '../../testing/fixtures/stop-clock.ts'
import { consumeCommentLimit, consumeLikeLimit, consumePostLimit, consumeUploadLimit } from './post-limits.ts'

const NOW = 1_700_000_000_000
type Charge = (appContext: AppContext, actor: Actor, context: NodeContext) => Refusal | null

let api: PostsApi
let limiters: PersonLimiters
beforeAll(async () => {
  api = await openPostsApi()
})
afterAll(() => api.close())
beforeEach(() => {
  limiters = new PersonLimiters(1)
})

/** Charges one thing for users until a charge is refused, or `most` have passed. Returns how many passed. */
function countPassed(charge: Charge, { userIds, most }: { userIds: readonly number[]; most: number }): number {
  const appContext = { ...api.region.appContext, personLimiters: limiters, clock: () => NOW }
  const incoming = { socket: { remoteAddress: '203.0.113.7' }, headers: {} }
  const context = { env: { incoming } } as unknown as NodeContext // all that the limits read
  let passed = 0
  for (const userId of userIds) {
    for (let count = 0; count < most; count++) {
      if (charge(appContext, { userId, sessionId: 1, role: 'member' }, context) instanceof Refusal) break
      passed++
    }
  }
  return passed
}
const MIB = 1024 * 1024
const many = Array.from({ length: 10 }, (_, index) => index + 1)
const comment =
  (length: number): Charge =>
  (...call) =>
    consumeCommentLimit(...call, 'a'.repeat(length))
const mentioningComment: Charge = (...call) =>
  consumeCommentLimit(...call, Array.from({ length: 20 }, (_, index) => `@a${index}`).join(' '))
const post =
  (bytes: number): Charge =>
  (...call) =>
    consumePostLimit(...call, bytes)

it.each([
  ['likes', consumeLikeLimit, LIKE_LIMIT.points, ADDRESS_LIKE_LIMIT.points],
  ['comments', comment(1), COMMENT_LIMIT.points, ADDRESS_COMMENT_LIMIT.points],
  [
    'long comments',
    comment(MAX_COMMENT_LENGTH),
    COMMENT_CHARACTER_LIMIT.points / MAX_COMMENT_LENGTH,
    ADDRESS_COMMENT_CHARACTER_LIMIT.points / MAX_COMMENT_LENGTH,
  ],
  [
    '[CHAT-58] comments with 20 mentions',
    mentioningComment,
    MENTION_LIMIT.points / 20,
    ADDRESS_MENTION_LIMIT.points / 20,
  ],
  ['posts', post(1), POST_LIMIT.points, ADDRESS_POST_LIMIT.points],
  [
    'posts of 64 MB',
    post(64 * MIB),
    POST_BYTES_LIMIT.points / (64 * MIB),
    ADDRESS_POST_BYTES_LIMIT.points / (64 * MIB),
  ],
] as const)('[POST-28] %s are limited for a user and for an address', (_, charge, ofUser, ofAddress) => {
  expect(countPassed(charge, { userIds: [1], most: ofAddress })).toBe(ofUser)
  limiters = new PersonLimiters(1)
  expect(countPassed(charge, { userIds: many, most: ofAddress })).toBe(ofAddress)
})

it('[POST-28] uploads of an address are limited before their pictures are decoded', () => {
  expect(countPassed(consumeUploadLimit, { userIds: many, most: 1_000 })).toBe(ADDRESS_POST_UPLOAD_LIMIT.points)
})

it('[POST-28] a request above a limit is refused with the wait, and changes nothing', async () => {
  stopClock()
  const [ada, can] = [await api.createPremium('ada'), await api.region.createMember('can')]
  const { id } = await api.publish(ada)
  const like = (method: string) => api.call(method, `/posts/like/${id}`, can)
  for (let count = 0; count < LIKE_LIMIT.points / 2; count++)
    for (const method of ['POST', 'DELETE']) expect(await like(method)).toMatchObject({ status: 200 })
  expect(await like('POST')).toMatchObject({
    status: 429,
    body: { code: 'RateLimited', waitMs: expect.any(Number) as number },
  })
  expect((await api.call('GET', `/posts/${id}`, can)).body).toMatchObject({ post: { likeCount: 0 } })
})
