import { countMentions } from '../../../shared/room-chat/count-mentions.ts'
import {
  ADDRESS_MENTION_LIMIT,
  ADDRESS_ROOM_CHARACTER_LIMIT,
  ADDRESS_ROOM_MESSAGE_LIMIT,
  MENTION_LIMIT,
  ROOM_CHARACTER_LIMIT,
  ROOM_MESSAGE_LIMIT,
} from '../../../shared/room-chat/limits.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Actor } from '../../kernel/database/transact.ts'
import { addressGroup } from '../../kernel/http/client-address.ts'
import type { Charge } from '../../kernel/limits/person-limiters.ts'

/**
 * Takes what a room's message costs its sender and their address: one message, its characters and its mentions. Returns
 * 0, or the milliseconds until there is enough of all. Root admins are exempt; owners and admins of the room are not.
 * @param address null when it cannot be attributed to the sender (http/client-address.ts)
 */
export function consumeFloodLimits(
  { personLimiters, clock }: Pick<AppContext, 'personLimiters' | 'clock'>,
  { userId, role }: Pick<Actor, 'userId' | 'role'>,
  address: string | null,
  content: string,
): number {
  if (role === 'rootadmin') return 0
  const costs = [
    { ofUser: ROOM_MESSAGE_LIMIT, ofAddress: ADDRESS_ROOM_MESSAGE_LIMIT, points: 1 },
    { ofUser: ROOM_CHARACTER_LIMIT, ofAddress: ADDRESS_ROOM_CHARACTER_LIMIT, points: content.length },
    { ofUser: MENTION_LIMIT, ofAddress: ADDRESS_MENTION_LIMIT, points: countMentions(content) },
  ].filter(({ points }) => points > 0)
  const charges: Charge[] = costs.map(({ ofUser: limit, points }) => ({ limit, key: userId, points }))
  if (address !== null) {
    const key = addressGroup(address)
    charges.push(...costs.map(({ ofAddress: limit, points }) => ({ limit, key, points })))
  }
  return personLimiters.consumeAll(charges, clock())
}
