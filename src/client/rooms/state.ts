import { browserEnvironment } from '../live/environment.ts'
import { live } from '../live/state.ts'
import { signal } from '../signal.ts'
import { Counts } from './counts.ts'
import { People } from './people.ts'
import { RoomLine } from './room-line.ts'

/** Keeps this tab in the room that is shown. */
export const roomLine = new RoomLine(browserEnvironment, live)
const roomPeople = new People(live, roomLine)
/** How many people there are where. */
export const counts = new Counts(live, roomLine)

/** Who is in the room that is shown, as far as they are loaded, and how many there are. */
export const people = roomPeople.list
/** How many people each room has, by its id. */
export const roomCounts = counts.rooms
/** How many people are on the site. */
export const siteCount = counts.site
/** The listed rooms, as far as they were told. */
export const listedRooms = counts.listed
/** The room whose page is shown has not let us in. */
export const isOutside = signal(false)

roomLine.listen({
  opened: () => setOutside(false),
  joined: () => setOutside(false),
  refused: () => setOutside(true),
})

function setOutside(outside: boolean): void {
  isOutside.value = outside
}

/** Loads people of the room, from one row to before another. False when some did not come. */
export function loadPeople(first: number, last: number): Promise<boolean> {
  return roomPeople.loadRows(first, last)
}
