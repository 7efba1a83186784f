import type { EventHandlers } from '../../core/live/event-handlers.ts'
import { loadPart } from '../../core/loading/load-part.ts'
import { shownRoom } from '../../core/session/shown-room.ts'
import type { RoomSubscription } from './room-subscription.ts'

/** Leads out of the shown room when it is deactivated, also when this tab learns it by a refused join. */
export function leaveDeactivatedRooms(
  live: EventHandlers,
  roomSubscription: Pick<RoomSubscription, 'addListener'>,
): void {
  live.on('roomDeactivated', ({ roomId }) => {
    if (roomId === shownRoom.peek()?.id) void leave()
  })
  roomSubscription.addListener({
    onJoinRefused: ({ code }) => {
      if (code === 'RoomNotFound') void leave()
    },
  })
}

async function leave(): Promise<void> {
  const { moveToDefaultRoom } = await loadPart(() => import('../room-orders/move-to-default-room.ts'))
  moveToDefaultRoom()
}
