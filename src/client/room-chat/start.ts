import { loadPart } from '../load-part.ts'
import { SendLimits } from './send-limits.ts'
import { roomConversations } from './state.ts'

/** Predicts the chat limits, and shows the message that the URL of a room names, also after a move to another room. */
export function start(): void {
  roomConversations.predictLimits((platform, conversation) => new SendLimits(platform, conversation))
  const show = (): void => {
    if (location.hash) void loadPart(() => import('./show-message.ts')).then((loaded) => loaded.showLinkedMessage())
  }
  document.addEventListener('meydan:navigated', show)
  show()
}
