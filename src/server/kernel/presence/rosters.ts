import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Publisher } from '../live/publisher.ts'
import type { GhostUsers } from './ghost-users.ts'
import type { RoomCounts } from './room-counts.ts'
import { type LeaveReason, Roster, type RosterListener } from './roster.ts'
import { roomListener, siteListener } from './roster-listeners.ts'

interface RostersOptions {
  publisher: Publisher
  ghosts: GhostUsers
  roomCounts: RoomCounts
  clock(): number
  /** A user's presence in this region changed on the site (`roomId` null) or in a room. */
  onLocalChange(userId: UserId, roomId: RoomId | null, ended?: LeaveReason): void
  onRoomCountChange(roomId: RoomId, count: number): void
}

/** The rosters of the site and of its rooms. That of a room begins with its first user. */
export class Rosters {
  readonly site: Roster
  private readonly options: RostersOptions
  private readonly rooms = new Map<RoomId, Roster>()

  constructor(options: RostersOptions) {
    this.options = options
    const { publisher, onLocalChange } = options
    this.site = this.createRoster({
      ...siteListener(publisher, (roomId, userId, viewer) => this.find(roomId)?.isShown(userId, viewer) ?? false),
      onLocalChange: (userId, ended) => onLocalChange(userId, null, ended),
    })
  }

  find(roomId: RoomId): Roster | undefined {
    return this.rooms.get(roomId)
  }

  /** By room id. */
  ofRooms(): Iterable<[RoomId, Roster]> {
    return this.rooms
  }

  all(): Roster[] {
    return [this.site, ...this.rooms.values()]
  }

  room(roomId: RoomId): Roster {
    const existing = this.rooms.get(roomId)
    if (existing) return existing
    const { publisher, roomCounts, onLocalChange, onRoomCountChange } = this.options
    const roster = this.createRoster({
      ...roomListener(publisher, roomId),
      onSizeChange: (size) => {
        roomCounts.setSize(roomId, size)
        onRoomCountChange(roomId, size)
      },
      onOwnSizeChange: (userId) => roomCounts.sendOwn(roomId, userId),
      onLocalChange: (userId, ended) => onLocalChange(userId, roomId, ended),
    })
    this.rooms.set(roomId, roster)
    return roster
  }

  private createRoster(listener: RosterListener): Roster {
    const { clock, ghosts } = this.options
    return new Roster(listener, clock, (userId) => ghosts.has(userId))
  }
}
