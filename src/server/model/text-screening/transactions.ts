import type { MessageId, PostId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Refusal } from '../../../shared/protocol/refusals.ts'
import { Hook } from '../../kernel/database/commands/define-hooks.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import type { UserRow } from '../accounts/queries.ts'

/** A text, or a file without one, that a user submits, before anything of it is stored. */
export const onTextScreening = new Hook<TextDraft>()

/** Where a text is submitted. */
export type TextPlace =
  | { kind: 'room'; roomId: RoomId }
  | { kind: 'direct'; recipientId: UserId }
  | { kind: 'comment'; postId: PostId }
  | { kind: 'post' | 'profile' | 'roomText' | 'name' }

/** What a message has besides its text. */
export interface MessageParts {
  clientId: string
  replyToId: MessageId | null
  mediaId: number | null
}

interface SubmittedText {
  readonly sender: UserRow
  readonly place: TextPlace
  /** In UTF-16 code units: a handler that replaces the text must not exceed it. */
  readonly maxLength: number
  /** Of messages in rooms and direct messages. */
  readonly message?: MessageParts
}

/** A text before it is stored. Handlers may refuse it, or replace its text. Handlers leave a refused draft as it is. */
export interface TextDraft extends SubmittedText {
  /** Normalised; empty for a file alone. */
  text: string
  refusal: Refusal | null
}

/**
 * Runs the hook `onTextScreening` and returns the text to store, or the refusal of a handler. Commands call it after their
 * other checks and before their first write, because a RecordedRefusal keeps what was written.
 */
export function screenText(tx: Transaction, submitted: SubmittedText & { readonly text: string }): string | Refusal {
  const draft: TextDraft = { ...submitted, refusal: null }
  tx.runHooks(onTextScreening, draft)
  return draft.refusal ?? draft.text
}
