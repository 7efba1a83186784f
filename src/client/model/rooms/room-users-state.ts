import { replayMissed } from '../../core/live/replay-missed.ts'
import { live } from '../../core/live/state.ts'
import { browserEnvironment } from '../../core/platform/environment.ts'
import { leaveDeactivatedRooms } from './leave-deactivated-rooms.ts'
import { OnlineCounts } from './online-counts.ts'
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
