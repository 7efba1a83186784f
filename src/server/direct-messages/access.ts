import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import {
  CONTACT_CHANNELS,
  type ContactChannel,
  type ContactFacts,
  contactRefusalText,
  contactVerdict,
} from '../../shared/relations/contact-rules.ts'
import type { Reader } from '../database/read.ts'
import { blockStatus, followStatusOf } from '../relations/queries.ts'
import { privacyOf } from '../settings/queries.ts'
import type { Participants } from './queries.ts'

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
  const { hasBlockedProfile, isBlockedByProfile } = blockStatus(reader, own.id, other.id)
  return {
    isSelf: own.id === other.id,
    senderRole: own.role,
    recipientPrivacy: privacyOf(other),
    senderFollows: followStatusOf(reader, own.id, other.id) === 'following',
    recipientFollows: followStatusOf(reader, other.id, own.id) === 'following',
    hasBlocked: hasBlockedProfile,
    isBlocked: isBlockedByProfile,
  }
}
