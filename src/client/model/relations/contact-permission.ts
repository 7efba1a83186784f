import type { UserSummary } from '../../../shared/accounts/protocol.ts'
import type { RecipientInfo } from '../../../shared/direct-messages/message.ts'
import { type ContactChannel, contactRefusalText, contactVerdict } from '../../../shared/relations/contact-rules.ts'
import type { PrivacySettings } from '../../../shared/settings/rules.ts'

/** What decides whether the viewer may contact a user. */
export type ContactTarget = PrivacySettings &
  Pick<RecipientInfo, 'id' | 'isFollowing' | 'isFollowedBy' | 'hasBlockedProfile' | 'isBlockedByProfile'>

/**
 * Why the viewer may not contact a user on a channel, in Turkish; null where they may, and until both are known.
 * The same decision as the server's, which has the last word.
 */
export function contactRefusalOf(
  channel: ContactChannel,
  viewer: Pick<UserSummary, 'id' | 'role'> | null,
  recipient: ContactTarget | null,
): string | null {
  if (!viewer || !recipient) return null
  const verdict = contactVerdict(channel, {
    isSelf: viewer.id === recipient.id,
    senderRole: viewer.role,
    recipientPrivacy: recipient,
    senderFollows: recipient.isFollowing,
    recipientFollows: recipient.isFollowedBy,
    hasBlocked: recipient.hasBlockedProfile,
    isBlocked: recipient.isBlockedByProfile,
  })
  return verdict === 'allowed' ? null : contactRefusalText(channel, verdict)
}
