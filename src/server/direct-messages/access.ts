import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { type ContactChannel, contactRefusalText, contactVerdict } from '../../shared/relations/contact-rules.ts'
import type { Reader } from '../database/read.ts'
import { blockStatus, followStatusOf } from '../relations/queries.ts'
import { privacyOf } from '../settings/queries.ts'
import type { Participants } from './queries.ts'

/** Refuses with ContactRefused unless `own` may contact `other` on this channel now. */
export function checkContact(
  reader: Pick<Reader, 'get'>,
  channel: ContactChannel,
  { own, other }: Participants,
): Refusal | null {
  const { hasBlockedProfile, isBlockedByProfile } = blockStatus(reader, own.id, other.id)
  const verdict = contactVerdict(channel, {
    isSelf: own.id === other.id,
    senderRole: own.role,
    recipientPrivacy: privacyOf(other),
    senderFollows: followStatusOf(reader, own.id, other.id) === 'following',
    recipientFollows: followStatusOf(reader, other.id, own.id) === 'following',
    hasBlocked: hasBlockedProfile,
    isBlocked: isBlockedByProfile,
  })
  return verdict === 'allowed' ? null : refuse('ContactRefused', { message: contactRefusalText(channel, verdict) })
}
