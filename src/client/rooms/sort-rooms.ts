import type { RoomListing } from '../../shared/rooms/protocol.ts'
import type { ShownRoom } from './shown-room.ts'

/** How many rooms each list begins with (specification 2, point 9). */
export const SHEET_TOP_ROOMS = 3
export const RAIL_TOP_ROOMS = 6

/** The rooms with how many people each has now, the liveliest first. */
export function sortByActivity(
  rooms: readonly RoomListing[],
  counts: Readonly<Record<number, number>>,
): readonly RoomListing[] {
  return rooms
    .map((room) => ({ ...room, activeUsers: counts[room.id] ?? room.activeUsers }))
    .sort((a, b) => b.activeUsers - a.activeUsers || a.id - b.id)
}

/** The present room first, whether it is listed or not, then the others as they are. */
export function putCurrentFirst(
  rooms: readonly RoomListing[],
  current: ShownRoom,
  counts: Readonly<Record<number, number>>,
): readonly RoomListing[] {
  const here = rooms.find(({ id }) => id === current.id) ?? { ...current, activeUsers: counts[current.id] ?? 0 }
  return [here, ...rooms.filter(({ id }) => id !== current.id)]
}
