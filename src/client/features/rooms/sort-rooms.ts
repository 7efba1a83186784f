import type { RoomId } from '../../../shared/protocol/ids.ts'
import type { RoomListing } from '../../../shared/rooms/protocol.ts'
import type { ShownRoom } from '../../core/session/shown-room.ts'

/** The number of rooms that each list shows at first (specification 2, point 9). */
export const SHEET_TOP_ROOMS = 3
export const RAIL_TOP_ROOMS = 6

/** The rooms with their present user counts, the most active first. */
export function sortByActivity(
  rooms: readonly RoomListing[],
  counts: Readonly<Record<number, number>>,
): readonly RoomListing[] {
  return rooms
    .map((room) => ({ ...room, activeUsers: counts[room.id] ?? room.activeUsers }))
    .sort((a, b) => b.activeUsers - a.activeUsers || a.id - b.id)
}

/** The current room first, listed or not, then the others in their order. */
export function putCurrentFirst(
  rooms: readonly RoomListing[],
  current: ShownRoom,
  counts: Readonly<Record<number, number>>,
): readonly RoomListing[] {
  const here = rooms.find(({ id }) => id === current.id) ?? { ...current, activeUsers: counts[current.id] ?? 0 }
  return [here, ...rooms.filter(({ id }) => id !== current.id)]
}

/** The rooms of these ids first, otherwise in their order. */
export function putFirst(rooms: readonly RoomListing[], ids: { has(id: RoomId): boolean }): readonly RoomListing[] {
  return [...rooms.filter(({ id }) => ids.has(id)), ...rooms.filter(({ id }) => !ids.has(id))]
}
