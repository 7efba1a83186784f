import type { MessageId } from '../../../../shared/protocol/ids.ts'
import type { Quote } from '../../../../shared/room-chat/message.ts'
import { signal } from '../../../core/signals/signal.ts'
import type { StoredMessage } from './merge-messages.ts'

/** Makes the quote of an own reply until the server sends its own; null until the thread, which shows it, has loaded. */
export const makeQuote = signal<((stored: readonly StoredMessage[], id: MessageId) => Quote) | null>(null)
