import { outbox } from '../../core/live/state.ts'
import { loadLazy } from '../../core/loading/load-lazy.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import type { ClientFeature } from '../../model/client-feature.ts'
import { reportFailures } from '../../model/conversation/failure-toasts.ts'
import { SendLimits } from '../../model/room-chat/send-limits.ts'
import { roomConversations } from '../../model/room-chat/state.ts'

export const feature: ClientFeature = {
  start,
}

/**
 * Predicts the chat limits, reports messages of rooms and of direct conversations that could not be sent, and shows the message that the URL of
 * a room names, also after a move to another room.
 */
function start(): void {
  roomConversations.predictLimits((platform, conversation) => new SendLimits(platform, conversation))
  reportFailures(outbox.entries, (text) => void toast(text, 'error'))
  const show = (): void => {
    if (location.hash)
      void loadLazy(() => import('../../model/room-chat/show-message.ts')).then((loaded) => loaded.showLinkedMessage())
  }
  document.addEventListener('meydan:navigated', show)
  show()
}
