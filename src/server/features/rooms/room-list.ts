import type { RoomId } from '../../../shared/protocol/ids.ts'
import { BUSIEST_ROOMS } from '../../../shared/rooms/limits.ts'
import type { RoomCount, RoomListing } from '../../../shared/rooms/protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { Service } from '../../kernel/feature-services.ts'
import type { PresenceViewer } from '../../kernel/live/visibility.ts'
import { listedRooms, roomListVersion } from '../../model/rooms/queries.ts'

export const roomList = new Service<RoomList>('roomList')

type Counts = Pick<AppContext['presence'], 'roomCount' | 'onRoomCountChange' | 'ownRoomCounts'>

/**
 * The listed rooms, those with the most users first, then by id. The order follows presence one room at a time; the
 * rooms are read again only when one of them has changed, by whichever process.
 */
export class RoomList {
  private readonly counts: Counts
  private version: number | undefined
  /** Frozen, because many pages share them. */
  private ordered: RoomListing[] = []
  private readonly byId = new Map<RoomId, RoomListing>()

  constructor(counts: Counts) {
    this.counts = counts
    counts.onRoomCountChange((roomId, activeUsers) => {
      const before = this.byId.get(roomId)
      if (before) this.replace(before, { ...before, activeUsers })
    })
  }

  /** All listed rooms, as the viewer sees them. */
  all(reader: Reader, viewer: PresenceViewer | null): RoomListing[] {
    this.refresh(reader)
    return this.replaceShown([...this.ordered], this.counts.ownRoomCounts(viewer))
  }

  /** The busiest listed rooms, and the number of all. With `shown` a room has the count that its page shows. */
  busiest(
    reader: Reader,
    viewer: PresenceViewer | null,
    shown?: RoomCount,
  ): { rooms: RoomListing[]; roomCount: number } {
    this.refresh(reader)
    const own = this.counts.ownRoomCounts(viewer).filter(({ roomId }) => roomId !== shown?.roomId)
    const counts = shown ? [...own, shown] : own
    const first = this.ordered.slice(0, BUSIEST_ROOMS + counts.length)
    return { rooms: this.replaceShown(first, counts).slice(0, BUSIEST_ROOMS), roomCount: this.ordered.length }
  }

  /** The rooms with these counts in place of everybody's, in order. */
  private replaceShown(rooms: RoomListing[], counts: readonly RoomCount[]): RoomListing[] {
    const changed = counts.flatMap(({ roomId, activeUsers }) => {
      const listing = this.byId.get(roomId)
      return listing && listing.activeUsers !== activeUsers ? [Object.freeze({ ...listing, activeUsers })] : []
    })
    if (changed.length === 0) return rooms
    const changedIds = new Set(changed.map(({ id }) => id))
    return [...rooms.filter(({ id }) => !changedIds.has(id)), ...changed].sort(compareRooms)
  }

  private refresh(reader: Reader): void {
    const version = reader.get(roomListVersion)?.version
    if (version === this.version) return
    this.ordered = reader
      .all(listedRooms)
      .map((room) => Object.freeze({ ...room, activeUsers: this.counts.roomCount(room.id, null) }))
      .sort(compareRooms)
    this.byId.clear()
    for (const room of this.ordered) this.byId.set(room.id, room)
    // Last, so that a read that throws is repeated.
    this.version = version
  }

  /** Moves only the rooms between the old and the new place: mostly none, where two splices move thousands. */
  private replace(before: RoomListing, now: RoomListing): void {
    const from = indexOf(this.ordered, before)
    const place = indexOf(this.ordered, now)
    const to = place > from ? place - 1 : place
    const step = Math.sign(to - from)
    for (let index = from; index !== to; index += step) {
      const next = this.ordered[index + step]
      if (next) this.ordered[index] = next
    }
    this.ordered[to] = Object.freeze(now)
    this.byId.set(now.id, now)
  }
}

function compareRooms(a: RoomListing, b: RoomListing): number {
  return b.activeUsers - a.activeUsers || a.id - b.id
}

/** The index of a room in an ordered list, or that at which it belongs. */
function indexOf(ordered: readonly RoomListing[], room: RoomListing): number {
  let [low, high] = [0, ordered.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = ordered[middle]
    if (other && compareRooms(other, room) < 0) low = middle + 1
    else high = middle
  }
  return low
}
