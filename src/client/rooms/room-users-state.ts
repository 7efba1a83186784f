import { replayMissed } from '../live/replay-missed.ts'
import { live } from '../live/state.ts'
import { OnlineCounts } from './online-counts.ts'
import { RoomUsers } from './room-users.ts'
import { roomSubscription } from './state.ts'

// This code loads after the thread, with the lists that show it.
const { roomPeople, counts } = replayMissed(
  live,
  () => ({ roomPeople: new RoomUsers(live, roomSubscription), counts: new OnlineCounts(live, roomSubscription) }),
  (late) => {
    late.roomPeople.refresh()
    void late.counts.refresh()
  },
)

/** Who is in the room that is shown, as far as they are loaded, and how many there are. */
export const roomUsers = roomPeople.list
/** How many people each room has, by its id. */
export const roomCounts = counts.byRoom
/** How many people are on the site. */
export const siteOnlineCount = counts.siteTotal
/** The listed rooms, as last received. */
export const listedRooms = counts.listedRooms

/** Keeps the counts of all rooms, or of the busiest, current until the returned function is called. */
export function watchRoomCounts(scope: 'all' | 'busiest'): () => void {
  return counts.watch(scope)
}

/** Loads people of the room, from one row to before another. False when some did not come. */
export function loadRoomUsers(first: number, last: number): Promise<boolean> {
  return roomPeople.loadRows(first, last)
}

/** Fetches the list of rooms again; false when it did not come. */
export function loadRooms(): Promise<boolean> {
  return counts.loadRooms()
}
