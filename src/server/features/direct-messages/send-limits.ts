import {
  ADDRESS_CHARACTER_LIMIT,
  ADDRESS_CONVERSATION_LIMIT,
  ADDRESS_MESSAGE_LIMIT,
  DIRECT_CHARACTER_LIMIT,
  DIRECT_MESSAGE_LIMIT,
} from '../../../shared/direct-messages/limits.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Actor } from '../../kernel/database/transact.ts'
import { addressGroup } from '../../kernel/http/client-address.ts'
import type { Charge } from '../../kernel/limits/person-limiters.ts'
import { findOwnConversation } from '../../model/direct-messages/queries.ts'

/**
 * Takes what a message costs its sender and their address: one message, its characters, and a conversation if it is the
 * first one. Returns 0, or the milliseconds until there is enough of all. Root admins are exempt, as in rooms.
 * @param address null when it cannot be attributed to the sender (http/client-address.ts)
 */
export function consumeSendLimits(
  { personLimiters, reader, clock }: AppContext,
  { userId, role }: Pick<Actor, 'userId' | 'role'>,
  address: string | null,
  recipientId: UserId,
  content: string,
): number {
  if (role === 'rootadmin') return 0
  const characters = content.length
  const charges: Charge[] = [
    { limit: DIRECT_MESSAGE_LIMIT, key: userId, points: 1 },
    { limit: DIRECT_CHARACTER_LIMIT, key: userId, points: characters },
  ]
  if (address !== null) {
    const key = addressGroup(address)
    charges.push({ limit: ADDRESS_MESSAGE_LIMIT, key, points: 1 })
    charges.push({ limit: ADDRESS_CHARACTER_LIMIT, key, points: characters })
    if (findOwnConversation(reader, userId, recipientId) === undefined)
      charges.push({ limit: ADDRESS_CONVERSATION_LIMIT, key, points: 1 })
  }
  return personLimiters.consumeAll(charges, clock())
}
