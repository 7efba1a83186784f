import { live } from '../live/state.ts'
import { Counts } from './counts.ts'
import { People } from './people.ts'
import { roomLine } from './state.ts'

// This comes after the thread, with the lists that show it.
const { roomPeople, allCounts } = live.catchUp(() => ({
  roomPeople: new People(live, roomLine),
  allCounts: new Counts(live, roomLine),
}))

/** How many people there are where. */
export const counts = allCounts
/** Who is in the room that is shown, as far as they are loaded, and how many there are. */
export const people = roomPeople.list
/** How many people each room has, by its id. */
export const roomCounts = allCounts.rooms
/** How many people are on the site. */
export const siteCount = allCounts.site
/** The listed rooms, as far as they were told. */
export const listedRooms = allCounts.listed

/** Loads people of the room, from one row to before another. False when some did not come. */
export function loadPeople(first: number, last: number): Promise<boolean> {
  return roomPeople.loadRows(first, last)
}
