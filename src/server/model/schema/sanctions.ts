import type { Generated } from 'kysely'
import type { BanDuration } from '../../../shared/moderation/protocol.ts'
import type { MessageId, MuteId, RoomId, UserId, WarningId } from '../../../shared/protocol/ids.ts'
import type { MessageType } from '../../../shared/sanctions/protocol.ts'

export interface SanctionTables {
  /** Warnings; confirmed ones, and those that earlier releases have withdrawn, are kept as history. */
  warning: {
    id: Generated<WarningId>
    userId: UserId
    text: string
    warnedById: UserId
    at: number
    confirmedAt: number | null
    withdrawnAt: number | null
  }
  /** Mutes; lifted and expired ones are kept as history. */
  mute: {
    id: Generated<MuteId>
    userId: UserId
    /** null: the whole site. */
    roomId: RoomId | null
    reason: string
    duration: BanDuration
    mutedById: UserId
    at: number
    /** null: until it is lifted. */
    endsAt: number | null
    liftedAt: number | null
    liftedById: UserId | null
    /** The mute that this one repeats for another account from the same browser or address. */
    sourceId: MuteId | null
  }
  /** The fingerprints that a mute covers, as in `banFingerprint`. */
  muteFingerprint: { hash: string; muteId: MuteId; kind: 'browser' | 'address' }
  /** What a removed message had. Its own row keeps neither text, file nor quote. */
  removedMessage: {
    type: MessageType
    messageId: MessageId
    senderId: UserId
    content: string
    mediaId: number | null
    replyToId: MessageId | null
    removedById: UserId
    removedAt: number
  }
}
