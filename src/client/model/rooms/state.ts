import { live } from '../../core/live/state.ts'
import { browserEnvironment } from '../../core/platform/environment.ts'
import { signal } from '../../core/signals/signal.ts'
import { RoomSubscription } from './room-subscription.ts'

/** Keeps this tab in the room that is shown. */
export const roomSubscription = new RoomSubscription(browserEnvironment, live)
/** Whether the shown room refused the join. */
export const isJoinRefused = signal(false)

roomSubscription.addListener({
  onPageOpened: () => setJoinRefused(false),
  onJoined: () => setJoinRefused(false),
  onJoinRefused: () => setJoinRefused(true),
})

function setJoinRefused(outside: boolean): void {
  isJoinRefused.value = outside
}
