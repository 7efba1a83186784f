import { MAX_COMPOSER_QUOTE_LENGTH } from '../../shared/room-chat/limits.ts'
import { quoteExcerpt } from '../../shared/room-chat/quotes.ts'
import { isolateBidi } from '../../shared/text/bidi-isolate.ts'
import { live } from '../live/state.ts'
import { toast } from '../shell/toasts/toast.ts'

/** Shows a toast for a mention in another room; in the shown room the thread shows it. */
export function showMentionToasts(): void {
  live.on('mentionNotification', ({ roomId, messageSender, content }) => {
    if (roomId === live.roomId) return
    void toast(`${isolateBidi(messageSender)} senden bahsetti: ${quoteExcerpt(content, MAX_COMPOSER_QUOTE_LENGTH)}`)
  })
}
