import { browserEnvironment } from '../../core/live/environment.ts'
import { replayMissed } from '../../core/live/replay-missed.ts'
import { live } from '../../core/live/state.ts'
import { loadPart } from '../../core/load-part.ts'
import { session } from '../../core/session/session.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { refetchShownRoom } from '../../model/room-chat/refetch-room.ts'
import { roomConversations } from '../../model/room-chat/state.ts'
import { roomSubscription } from '../../model/rooms/state.ts'
import { EntryGreeting } from './entry-greeting.ts'
import { RoomFollower } from './room-follower.ts'
import { showBackground } from './shown-background.ts'

/** Follows the shown room's settings and the viewer's rights in it, and greets the viewer on entering. */
export function start(): void {
  const deps = { live, conversations: roomConversations, session, toast, showBackground }
  replayMissed(
    live,
    () => new RoomFollower(deps),
    (follower) => refetchShownRoom((room) => follower.applySettings({ roomId: room.id, ...room })),
  )
  const loadCard = () => loadPart(() => import('./greeting-card.tsx'))
  const greeting = new EntryGreeting(browserEnvironment.tabStorage, loadCard, isThreadStartShown)
  roomSubscription.addListener({ onPageOpened: ({ room }) => greeting.onPageOpened(room) })
}

/** Whether the start of the messages, which has the greeting, is on the screen. */
function isThreadStartShown(): boolean {
  const [start, thread] = ['.thread-start', '.thread'].map((part) => document.querySelector(part))
  return start && thread ? start.getBoundingClientRect().top >= thread.getBoundingClientRect().top : false
}
