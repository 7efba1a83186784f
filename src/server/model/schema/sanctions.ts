import type { Generated } from 'kysely'
import type { MessageId, UserId, WarningId } from '../../../shared/protocol/ids.ts'
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
