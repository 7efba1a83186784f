import type { RecipientInfo } from '../../../shared/direct-messages/message.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { WRITABLE, type WritePermission } from '../../model/conversation/conversation.ts'

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
