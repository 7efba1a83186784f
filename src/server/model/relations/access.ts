import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import {
  CONTACT_CHANNELS,
  type ContactChannel,
  type ContactFacts,
  contactRefusalText,
  contactVerdict,
} from '../../../shared/relations/contact-rules.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { findUserByName, type UserRow, userById } from '../accounts/queries.ts'
import { query } from '../schema/query.ts'
import { privacyOf } from '../settings/queries.ts'
import { blockStatus, followStatusOf, hasBlocked } from './queries.ts'

/** Two users of a conversation or a call, from the side of one. */
export interface Participants {
  own: UserRow
  other: UserRow
}

const nameOfUser = query<{ id: UserId }>()((db, p) =>
  db.selectFrom('user').select(['id', 'foldedName']).where('id', '=', p('id')),
)

/** Whether either of two users has blocked the other. */
export function isBlockedBetween(reader: Pick<Reader, 'get'>, ownId: UserId, otherId: UserId): boolean {
  return hasBlocked(reader, ownId, otherId) || hasBlocked(reader, otherId, ownId)
}

/** The two users; undefined when one does not exist. */
export function getParticipants(reader: Pick<Reader, 'get'>, ownId: UserId, otherId: UserId): Participants | undefined {
  const own = reader.get(userById, { id: ownId })
  const other = reader.get(userById, { id: otherId })
  return own && other && { own, other }
}

/** The user of this name; by id also a guest whose name is released, as old messages stay readable. Refuses with NotFound. */
export function findRecipient(reader: Reader, username: string, userId?: UserId): Pick<UserRow, 'id'> | Refusal {
  const user = userId === undefined ? findUserByName(reader, username) : reader.get(nameOfUser, { id: userId })
  if (!user || user.foldedName !== foldName(username)) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
  return user
}

/** Refuses with ContactRefused unless `own` may contact `other` on this channel now. */
export function checkContact(
  reader: Pick<Reader, 'get'>,
  channel: ContactChannel,
  participants: Participants,
): Refusal | null {
  const verdict = contactVerdict(channel, contactFacts(reader, participants))
  return verdict === 'allowed' ? null : refuse('ContactRefused', { message: contactRefusalText(channel, verdict) })
}

/** The verdicts of all channels, as one text that changes with any of them. */
export function contactVerdicts(reader: Pick<Reader, 'get'>, participants: Participants): string {
  const facts = contactFacts(reader, participants)
  return CONTACT_CHANNELS.map((channel) => contactVerdict(channel, facts)).join()
}

function contactFacts(reader: Pick<Reader, 'get'>, { own, other }: Participants): ContactFacts {
  const viewer = { userId: own.id, role: own.role }
  const { hasBlockedProfile, isBlockedByProfile } = blockStatus(reader, own.id, other.id)
  return {
    isSelf: own.id === other.id,
    senderRole: own.role,
    recipientPrivacy: privacyOf(other),
    senderFollows: followStatusOf(reader, viewer, own.id, other.id) === 'following',
    recipientFollows: followStatusOf(reader, viewer, other.id, own.id) === 'following',
    hasBlocked: hasBlockedProfile,
    isBlocked: isBlockedByProfile,
  }
}
