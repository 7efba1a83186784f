import { loadPart } from '../../core/load-part.ts'
import { SendLimits } from '../../model/room-chat/send-limits.ts'
import { roomConversations } from '../../model/room-chat/state.ts'

/** Predicts the chat limits, and shows the message that the URL of a room names, also after a move to another room. */
export function start(): void {
  roomConversations.predictLimits((platform, conversation) => new SendLimits(platform, conversation))
  const show = (): void => {
    if (location.hash)
      void loadPart(() => import('../../model/room-chat/show-message.ts')).then((loaded) => loaded.showLinkedMessage())
  }
  document.addEventListener('meydan:navigated', show)
  show()
}
