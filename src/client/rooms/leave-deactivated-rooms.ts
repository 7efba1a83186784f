import type { EventHandlers } from '../live/event-handlers.ts'
import { loadPart } from '../load-part.ts'
import { shownRoom } from './shown-room.ts'

/** Leads out of the shown room when it is deactivated. */
export function leaveDeactivatedRooms(live: EventHandlers): void {
  live.on('roomDeactivated', ({ roomId }) => {
    if (roomId !== shownRoom.peek()?.id) return
    void loadPart(() => import('../room-orders/move-to-default-room.ts')).then((loaded) => loaded.moveToDefaultRoom())
  })
}
