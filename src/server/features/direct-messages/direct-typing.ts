import * as v from 'valibot'
import { UserId } from '../../../shared/protocol/ids.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import { createRateLimiter } from '../../kernel/limits/rate-limiter.ts'
import type { Handler } from '../../kernel/live/handler.ts'
import { encodeEphemeral, type Publisher } from '../../kernel/live/publisher.ts'
import type { PeerBus } from '../../kernel/regions/peer-bus.ts'
import { checkContact, getParticipants, type Participants } from '../../model/relations/access.ts'
import { findRestriction } from '../../model/restrictions/queries.ts'

const BUS_TOPIC = 'directTyping'
/** Typing of one user that is sent on, to whomever; clients send it less often. */
const TYPING_RATE = { points: 5, perMs: 5_000 }
const Typing = v.object({ userId: UserId, username: v.string(), recipientId: UserId })
type Typing = v.InferOutput<typeof Typing>

/** Sends typing in conversations to the other user, in every region. */
export function createDirectTyping(publisher: Publisher, bus: PeerBus): Handler<'directTyping'> {
  const typists = createRateLimiter(TYPING_RATE)
  const publish = ({ userId, username, recipientId }: Typing): void => {
    const value = encodeEphemeral('directTyping', { userId, username })
    for (const connection of publisher.subscribers(userStream(recipientId))) publisher.enqueue(connection, value)
  }
  bus.on(BUS_TOPIC, (_, payload) => {
    const parsed = v.safeParse(Typing, payload)
    if (parsed.success) publish(parsed.output)
  })
  return (appContext, connection, { userId: recipientId }) => {
    const identity = connection.identity
    // A flood is answered and not sent on, to all regions and all connections of the other user.
    if (identity && typists.consume(String(identity.viewer.userId), appContext.clock()) > 0) return { success: true }
    const participants = identity && getParticipants(appContext.reader, identity.viewer.userId, recipientId)
    // A user who may not write, or whose message would be hidden, is not shown as typing; the answer is the same.
    if (participants && mayShowTyping(appContext, participants)) {
      const typing = { userId: identity.viewer.userId, username: identity.person.username, recipientId }
      publish(typing)
      bus.send('all', BUS_TOPIC, typing)
    }
    return { success: true }
  }
}

/** Typing of a ghost is shown to nobody, root admins included. */
function mayShowTyping({ reader, clock }: AppContext, participants: Participants): boolean {
  const { own, other } = participants
  if (own.isGhost === 1 || checkContact(reader, 'message', participants)) return false
  return other.role === 'rootadmin' || !findRestriction(reader, { kind: 'mute', userId: own.id }, clock())
}
