import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { GhostUsers } from './ghost-users.ts'
import type { RoomCounts } from './room-counts.ts'
import { Roster } from './roster.ts'
import { type RosterReceivers, roomListener, siteListener } from './roster-listeners.ts'
import type { ViewOwner } from './roster-view.ts'
import type { LeaveReason, RosterListener } from './roster-views.ts'

interface RostersOptions {
  receivers: RosterReceivers
  ghosts: GhostUsers
  roomCounts: RoomCounts
  clock(): number
  /** A user's presence in this region changed on the site (`roomId` null) or in a room. */
  onLocalChange(userId: UserId, roomId: RoomId | null, ended?: LeaveReason): void
  onRoomCountChange(roomId: RoomId, count: number): void
  capacityOf(roomId: RoomId): number
}

/** The rosters of the site and of its rooms. That of a room begins with its first user. */
export class Rosters {
  readonly site: Roster
  private readonly options: RostersOptions
  private readonly rooms = new Map<RoomId, Roster>()

  constructor(options: RostersOptions) {
    this.options = options
    const { receivers, roomCounts, onLocalChange } = options
    this.site = this.createRoster({
      ...siteListener(receivers, (roomId, userId, viewer) => this.find(roomId)?.isShown(userId, viewer) ?? false),
      onViewOpened: (userId) => roomCounts.openForGhost(userId),
      onViewClosed: (userId) => roomCounts.closeForGhost(userId),
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

  /** Hides a user, or shows them again: in the order in which one leaves the site or comes to it. */
  setGhost(userId: UserId, isGhost: boolean): void {
    // The ghost's counts of rooms begin with the view of the site.
    if (isGhost) this.site.openViewFor(userId)
    else this.site.setGhost(userId, false)
    for (const room of this.rooms.values()) room.setGhost(userId, isGhost)
    if (isGhost) this.site.setGhost(userId, true)
  }

  room(roomId: RoomId): Roster {
    const existing = this.rooms.get(roomId)
    if (existing) return existing
    const { receivers, roomCounts, onLocalChange } = this.options
    const roster = this.createRoster({
      ...roomListener(receivers, roomId),
      capacity: () => this.options.capacityOf(roomId),
      onSizeChange: (size, owner) => this.onRoomSizeChange(roomId, size, owner),
      onViewOpened: (userId, size) => roomCounts.setOwnSize(userId, roomId, size),
      onViewClosed: (userId) => roomCounts.setOwnSize(userId, roomId, null),
      onLocalChange: (userId, ended) => onLocalChange(userId, roomId, ended),
    })
    this.rooms.set(roomId, roster)
    return roster
  }

  private createRoster(listener: RosterListener): Roster {
    const { clock, ghosts } = this.options
    return new Roster(listener, clock, (userId) => ghosts.has(userId))
  }

  private onRoomSizeChange(roomId: RoomId, size: number, owner: ViewOwner): void {
    this.options.roomCounts.setSize(roomId, size, owner)
    if (owner === 'everybody') this.options.onRoomCountChange(roomId, size)
  }
}
