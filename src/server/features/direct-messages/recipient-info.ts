import type { RecipientInfo } from '../../../shared/direct-messages/message.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { toUserSummary } from '../../model/accounts/queries.ts'
import type { Participants } from '../../model/relations/access.ts'
import { blockStatus, followStatusOf } from '../../model/relations/queries.ts'
import { privacyOf } from '../../model/settings/queries.ts'

/** What a conversation shows of the other user, from the side of `own`. */
export function recipientInfoOf(
  reader: Pick<Reader, 'get'>,
  { own, other }: Participants,
  { isOnline, now }: { isOnline: boolean; now: number },
): RecipientInfo {
  const viewer = { userId: own.id, role: own.role }
  return {
    id: other.id,
    username: other.username,
    avatarUrl: other.isGuest === 1 ? null : other.avatarUrl,
    gender: other.gender,
    role: other.role,
    premiumStatus: toUserSummary(other, now).premiumStatus,
    isGuest: other.isGuest === 1,
    isOnline,
    ...privacyOf(other),
    isFollowing: followStatusOf(reader, viewer, own.id, other.id) === 'following',
    isFollowedBy: followStatusOf(reader, viewer, other.id, own.id) === 'following',
    ...blockStatus(reader, own.id, other.id),
  }
}
