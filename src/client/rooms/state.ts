import { browserEnvironment } from '../live/environment.ts'
import { live } from '../live/state.ts'
import { Counts } from './counts.ts'
import { People } from './people.ts'
import { RoomLine } from './room-line.ts'

/** Keeps this tab in the room that is shown. */
export const roomLine = new RoomLine(browserEnvironment, live)
const roomPeople = new People(live, roomLine)
const counts = new Counts(live, roomLine)

/** Who is in the room that is shown, as far as they are loaded, and how many there are. */
export const people = roomPeople.list
/** How many people each room has, by its id. */
export const roomCounts = counts.rooms
/** How many people are on the site. */
export const siteCount = counts.site

/** Loads the next people of the room; does nothing when all are there. */
export function loadMorePeople(): Promise<void> {
  return roomPeople.loadMore()
}
