import { apart } from '../../shared/text/apart.ts'
import { COMPOSER_QUOTE_LENGTH } from '../../shared/text/limits.ts'
import { quoteText } from '../../shared/text/quotes.ts'
import { live } from '../live/state.ts'
import { toast } from '../shell/toast.ts'

/** Somebody mentions one in a room that one does not see: it is said in a toast. In the room itself it stands in the thread. */
export function hearMentions(): void {
  live.on('mentionNotification', ({ roomId, messageSender, content }) => {
    if (roomId === live.roomId) return
    void toast(`${apart(messageSender)} senden bahsetti: ${quoteText(content, COMPOSER_QUOTE_LENGTH)}`)
  })
}
