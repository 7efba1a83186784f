import type { MessageId } from '../../../shared/protocol/ids.ts'

/** A message as the composer sends it. */
export interface OutgoingMessage {
  clientId: string
  content: string
  replyTo?: { id: MessageId } | undefined
  /** null: its file must be uploaded before it is sent. */
  mediaId?: number | null | undefined
}

/** A file that is not uploaded yet, by the clientId of its message. */
export interface UnsentFile {
  clientId: string
  mediaId: null
}

/** A message in the outbox. */
export interface UnsentMessage extends OutgoingMessage {
  createdAt: number
  /** Why it failed, in Turkish; null while it waits. */
  failure: string | null
}
