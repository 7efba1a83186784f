import { live } from '../live/state.ts'
import { OnlineCounts } from './online-counts.ts'
import { RoomUsers } from './room-users.ts'
import { roomSubscription } from './state.ts'

// This comes after the thread, with the lists that show it.
const { roomPeople, allCounts } = live.replayMissed(() => ({
  roomPeople: new RoomUsers(live, roomSubscription),
  allCounts: new OnlineCounts(live, roomSubscription),
}))

/** How many people there are where. */
export const onlineCounts = allCounts
/** Who is in the room that is shown, as far as they are loaded, and how many there are. */
export const roomUsers = roomPeople.list
/** How many people each room has, by its id. */
export const roomCounts = allCounts.byRoom
/** How many people are on the site. */
export const siteOnlineCount = allCounts.siteTotal
/** The listed rooms, as far as they were told. */
export const listedRooms = allCounts.listedRooms

/** Loads people of the room, from one row to before another. False when some did not come. */
export function loadRoomUsers(first: number, last: number): Promise<boolean> {
  return roomPeople.loadRows(first, last)
}
