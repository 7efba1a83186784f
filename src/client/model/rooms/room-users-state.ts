import type { EventHandlers } from '../../core/live/event-handlers.ts'
import { replayMissed } from '../../core/live/replay-missed.ts'
import { live } from '../../core/live/state.ts'
import { loadLazy } from '../../core/loading/load-lazy.ts'
import { browserEnvironment } from '../../core/platform/environment.ts'
import { shownRoom } from '../../core/session/shown-room.ts'
import { OnlineCounts } from './online-counts.ts'
import type { RoomSubscription } from './room-subscription.ts'
import { RoomUsers } from './room-users.ts'
import { roomSubscription } from './state.ts'

// This code loads after the thread, with the lists that show it.
const { roomPeople, counts } = replayMissed(
  live,
  () => {
    leaveDeactivatedRooms(live, roomSubscription)
    return {
      roomPeople: new RoomUsers(live, roomSubscription),
      counts: new OnlineCounts(browserEnvironment, live, roomSubscription),
    }
  },
  (late) => {
    late.roomPeople.refresh()
    void late.counts.refresh()
  },
)

/** The loaded users of the shown room, and their total. */
export const roomUsers = roomPeople.list
/** The user count of each room, by id. */
export const roomCounts = counts.byRoom
/** The user count of the site. */
export const siteOnlineCount = counts.siteTotal
/** The listed rooms, as last received: the busiest, or all. */
export const listedRooms = counts.listedRooms
/** How many rooms are listed. */
export const listedRoomCount = counts.listedRoomCount

/** Keeps the counts of all rooms, or of the busiest, current until the returned function is called. */
export function watchRoomCounts(scope: 'all' | 'busiest'): () => void {
  return counts.watch(scope)
}

/** Loads the room's users from one row to before another. False when a page failed. */
export function loadRoomUsers(first: number, last: number): Promise<boolean> {
  return roomPeople.loadRows(first, last)
}

/** Fetches the list of rooms again; false when the request failed. */
export function loadRooms(): Promise<boolean> {
  return counts.loadRooms()
}

/** Leads out of the shown room when it is deactivated, also when this tab learns it by a refused join. */
function leaveDeactivatedRooms(live: EventHandlers, roomSubscription: Pick<RoomSubscription, 'addListener'>): void {
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
  const { moveToDefaultRoom } = await loadLazy(() => import('../room-orders/move-to-default-room.ts'))
  moveToDefaultRoom()
}
