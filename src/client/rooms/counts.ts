import type { RoomPageProps } from '../../shared/rooms/page.ts'
import type { RoomListing } from '../../shared/rooms/protocol.ts'
import type { Live } from '../live/live.ts'
import { signal } from '../signal.ts'
import type { RoomLine } from './room-line.ts'

/** How many people each room and the whole site have, as last told. */
export class Counts {
  /** By room id. */
  readonly rooms = signal<Readonly<Record<number, number>>>({})
  readonly site = signal(0)
  /** The listed rooms, as the last page or answer had them. */
  readonly listed = signal<readonly RoomListing[]>([])

  constructor(live: Live, roomLine: RoomLine) {
    roomLine.listen({ opened: (page) => this.open(page) })
    live.on('roomUserCountUpdate', ({ roomId, activeUsers }) => {
      this.rooms.value = { ...this.rooms.peek(), [roomId]: activeUsers }
    })
    live.on('activeUsersCount', ({ count }) => {
      this.site.value = count
    })
    // Root admins get everyone, and then who comes and goes, in place of a count.
    live.on('activeUsers', ({ count }) => {
      this.site.value = count
    })
    live.on('userJoined', () => {
      this.site.value++
    })
    live.on('userLeft', () => {
      this.site.value--
    })
  }

  private open({ room, rooms, onlineCount }: RoomPageProps): void {
    this.list(rooms)
    this.rooms.value = { ...this.rooms.peek(), [room.id]: room.activeUsers }
    this.site.value = onlineCount
  }

  /** The server's list of rooms, with how many people each has. */
  list(rooms: readonly RoomListing[]): void {
    this.listed.value = rooms
    const counts = rooms.map(({ id, activeUsers }) => [id, activeUsers])
    this.rooms.value = { ...this.rooms.peek(), ...Object.fromEntries(counts) }
  }
}
