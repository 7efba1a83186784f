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
  POST_BYTES_LIMIT,
  POST_LIMIT,
} from '../../../shared/posts/limits.ts'
import type { PersonLimit } from '../../../shared/protocol/define.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { countMentions } from '../../../shared/room-chat/count-mentions.ts'
import { ADDRESS_MENTION_LIMIT, MENTION_LIMIT } from '../../../shared/room-chat/limits.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { addressCharges } from '../../kernel/http/address-charges.ts'
import type { NodeContext } from '../../kernel/http/node-app.ts'
import { dailyUploadLimits } from '../../kernel/limits/daily-uploads.ts'
import type { Charge } from '../../kernel/limits/person-limiters.ts'

/** One price, with the limit of a user and that of an address; an upload is counted for the user by its route. */
interface Cost {
  user?: PersonLimit
  address: PersonLimit
  points: number
}

/** Takes the cost of a request that uploads a post, before its picture is decoded. */
export function consumeUploadLimit(appContext: AppContext, actor: Actor, context: NodeContext): Refusal | null {
  return charge(appContext, actor, context, [{ address: ADDRESS_POST_UPLOAD_LIMIT, points: 1 }])
}

/** Takes the cost of a post and its bytes, before anything is stored. */
export function consumePostLimit(
  appContext: AppContext,
  actor: Actor,
  context: NodeContext,
  sizeBytes: number,
): Refusal | null {
  const perDay = dailyUploadLimits(appContext.config)
  return charge(appContext, actor, context, [
    { user: perDay.ofUser, address: perDay.ofAddress, points: sizeBytes },
    { user: POST_LIMIT, address: ADDRESS_POST_LIMIT, points: 1 },
    { user: POST_BYTES_LIMIT, address: ADDRESS_POST_BYTES_LIMIT, points: sizeBytes },
  ])
}

/** Takes the cost of a like, or of taking one back. */
export function consumeLikeLimit(appContext: AppContext, actor: Actor, context: NodeContext): Refusal | null {
  return charge(appContext, actor, context, [{ user: LIKE_LIMIT, address: ADDRESS_LIKE_LIMIT, points: 1 }])
}

/** Takes the cost of a comment, its characters and its mentions. */
export function consumeCommentLimit(
  appContext: AppContext,
  actor: Actor,
  context: NodeContext,
  content: string,
): Refusal | null {
  return charge(appContext, actor, context, [
    { user: COMMENT_LIMIT, address: ADDRESS_COMMENT_LIMIT, points: 1 },
    { user: COMMENT_CHARACTER_LIMIT, address: ADDRESS_COMMENT_CHARACTER_LIMIT, points: content.length },
    { user: MENTION_LIMIT, address: ADDRESS_MENTION_LIMIT, points: countMentions(content) },
  ])
}

/** Takes all costs or none; the address is left out when it cannot be attributed to the sender. */
function charge(
  { config, personLimiters, clock }: AppContext,
  { userId }: Actor,
  context: NodeContext,
  costs: readonly Cost[],
): Refusal | null {
  const charges = costs.flatMap(({ user, address: limit, points }): Charge[] => [
    ...(user ? [{ limit: user, key: userId, points }] : []),
    ...addressCharges(config, context, limit, points),
  ])
  const waitMs = personLimiters.consumeAll(charges, clock())
  return waitMs > 0 ? refuse('RateLimited', { waitMs }) : null
}
