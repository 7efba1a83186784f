import { hash } from 'node:crypto'
import type { MessageId, PostId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Refusal } from '../../../shared/protocol/refusals.ts'
import { normaliseMessage } from '../../../shared/room-chat/rules.ts'
import type { RetryKey } from '../../kernel/database/commands/define-command.ts'
import { Hook } from '../../kernel/database/commands/define-hooks.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import type { UserRow } from '../accounts/queries.ts'
import { query } from '../schema/query.ts'

/** A text, or a file without one, that a user submits, before anything of it is stored. */
export const onTextSubmitted = new Hook<TextDraft>()

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

const insertReplacedText = query<{ senderId: UserId; clientId: string; textHash: Uint8Array; now: number }>()((db, p) =>
  db.insertInto('replacedText').values({
    senderId: p('senderId'),
    clientId: p('clientId'),
    textHash: p('textHash'),
    replacedAt: p('now'),
  }),
)
const replacedTextByClientId = query<{ userId: UserId; clientId: string }>()((db, p) =>
  db
    .selectFrom('replacedText')
    .select('textHash')
    .where('senderId', '=', p('userId'))
    .where('clientId', '=', p('clientId')),
)

/**
 * Runs the hook `onTextSubmitted` and returns the text to store, or the refusal of a handler. Commands call it after their
 * other checks and before their first write, because a RecordedRefusal keeps what was written.
 */
export function screenText(tx: Transaction, submitted: SubmittedText & { readonly text: string }): string | Refusal {
  const draft: TextDraft = { ...submitted, refusal: null }
  tx.runHooks(onTextSubmitted, draft)
  if (draft.refusal) return draft.refusal
  const { sender, message } = submitted
  if (message && draft.text !== submitted.text) {
    const textHash = hashText(submitted.text)
    tx.run(insertReplacedText, { senderId: sender.id, clientId: message.clientId, textHash, now: tx.now })
  }
  return draft.text
}

/** Whether the message under this key was sent with this text, which was replaced before it was stored. */
export function isReplacedTextOf(reader: Pick<Reader, 'get'>, key: RetryKey, sent: string): boolean {
  const replaced = reader.get(replacedTextByClientId, key)
  return replaced !== undefined && hashText(normaliseMessage(sent)).equals(replaced.textHash)
}

function hashText(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
