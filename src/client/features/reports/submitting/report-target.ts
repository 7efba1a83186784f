import type { MessageId, PostId, RoomId, UserId } from '../../../../shared/protocol/ids.ts'

/** What is reported; `username` is that of the reported user. */
export type ReportTarget = { username: string } & (
  | { kind: 'roomMessage'; messageId: MessageId; roomId: RoomId; preview: string }
  | { kind: 'directMessage'; messageId: MessageId; recipientUsername: string; preview: string }
  | { kind: 'post'; postId: PostId }
  | { kind: 'profile'; userId: UserId }
  | { kind: 'call'; callId: string }
)
