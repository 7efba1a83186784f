import type { MessageId } from '../../shared/protocol/ids.ts'

/** A message as the composer sends it. */
export interface OutgoingMessage {
  clientId: string
  content: string
  replyTo?: { id: MessageId } | undefined
}

/** A message in the outbox. */
export interface UnsentMessage extends OutgoingMessage {
  createdAt: number
  /** Why it failed, in Turkish; null while it waits. */
  failure: string | null
}
