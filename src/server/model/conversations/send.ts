import type { MessageId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { MAX_MESSAGE_LENGTH } from '../../../shared/room-chat/limits.ts'
import { normaliseMessage } from '../../../shared/room-chat/rules.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import type { UserRow } from '../accounts/queries.ts'
import { screenText, type TextPlace } from '../text-screening/transactions.ts'
import { resolveMentions } from './mentions.ts'

/** A message as its sender has written it. */
export interface MessageDraft {
  content: string
  mediaId: number | null
  /** The message that this one answers. It need not exist: the quote is resolved when it is shown. */
  replyToId: MessageId | null
  clientId: string
}

/** What a kind of conversation does with a message. */
interface ConversationKind<Draft extends MessageDraft, Admission extends { sender: UserRow }, Answer extends object> {
  textPlace(draft: Draft): TextPlace
  /** Whether the actor may send the draft, whose text is normalised. Writes nothing. */
  admit(tx: Transaction, actor: Actor, draft: Draft): Admission | Refusal
  /** Stores the message and emits its events. The content of the draft is what is stored. */
  deliver(tx: Transaction, admission: Admission, draft: Draft, mentioned: readonly UserRow[]): Answer | Refusal
}

/** Sends a message. Without text and file it is answered with success and not stored. */
export function send<Draft extends MessageDraft, Admission extends { sender: UserRow }, Answer extends object>(
  kind: ConversationKind<Draft, Admission, Answer>,
  tx: Transaction,
  actor: Actor | null,
  input: Draft,
): Answer | { success: true } | Refusal {
  const text = normaliseMessage(input.content)
  const { mediaId, replyToId, clientId } = input
  if (!text && mediaId === null) return { success: true }
  const admission = actor ? kind.admit(tx, actor, { ...input, content: text }) : refuse('NotSignedIn')
  if (admission instanceof Refusal) return admission
  const { sender } = admission
  const message = { clientId, replyToId, mediaId }
  const place = kind.textPlace(input)
  const submitted = screenText(tx, { sender, place, text, maxLength: MAX_MESSAGE_LENGTH, message })
  if (submitted instanceof Refusal) return submitted
  const { content, mentioned } = resolveMentions(tx, submitted)
  return kind.deliver(tx, admission, { ...input, content }, mentioned)
}
