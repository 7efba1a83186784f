import { messageQuote } from '../../../../shared/room-chat/quotes.ts'
import { MESSAGE_REMOVED_TEXT } from '../../../../shared/sanctions/message-removed-text.ts'
import type { Bubble } from '../store/message-types.ts'

/** Length of a message in the name of its buttons. */
const MAX_NAME_LENGTH = 40

/** A message in the accessible name of a control: 'Ayşe: Merhaba', cut to `length` characters. */
export function messageName({ sender, content, media, isRemoved }: Bubble, length = MAX_NAME_LENGTH): string {
  const text = isRemoved ? MESSAGE_REMOVED_TEXT : content
  return `${sender.username}: ${messageQuote(text, media?.mediaType, length)}`
}
