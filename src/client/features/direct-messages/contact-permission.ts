import type { RecipientInfo } from '../../../shared/direct-messages/message.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { type ContactChannel, contactRefusalText, contactVerdict } from '../../../shared/relations/contact-rules.ts'
import type { PrivacySettings } from '../../../shared/settings/rules.ts'
import { WRITABLE, type WritePermission } from '../../model/conversation/conversation.ts'
import type { BubbleSender } from '../../model/conversation/store/message-types.ts'

/** What decides whether the viewer may contact a user. */
export type ContactTarget = PrivacySettings &
  Pick<RecipientInfo, 'id' | 'isFollowing' | 'isFollowedBy' | 'hasBlockedProfile' | 'isBlockedByProfile'>

/**
 * Why the viewer may not contact a user on a channel, in Turkish; null where they may, and until both are known.
 * The same decision as the server's, which has the last word.
 */
export function contactRefusalOf(
  channel: ContactChannel,
  viewer: BubbleSender | null,
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

/** The field says why the viewer may not write. */
export function toPermission(refusalText: string | null): WritePermission {
  return refusalText === null ? WRITABLE : { canWrite: false, placeholder: refusalText }
}

/** The other user after a block in either direction was set or removed; the same object after one between others. */
export function withBlock(
  recipient: RecipientInfo,
  { blockerId, blockedId }: { blockerId: UserId; blockedId: UserId },
  isOn: boolean,
): RecipientInfo {
  if (blockedId === recipient.id) return { ...recipient, hasBlockedProfile: isOn }
  return blockerId === recipient.id ? { ...recipient, isBlockedByProfile: isOn } : recipient
}
