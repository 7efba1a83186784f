import type { Person } from '../../../shared/accounts/protocol.ts'
import { compareNames } from '../../../shared/presence/name-order.ts'
import type { CommandInput } from '../../../shared/protocol/catalogue.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import { PagedPeople, type PeoplePage, type PeopleSource } from '../../core/presence/paged-people.ts'
import type { RoomSubscription } from './room-subscription.ts'

/** The users of the shown room. */
export class RoomUsers extends PagedPeople {
  private roomId: RoomId | null = null

  constructor(live: LiveClient, roomSubscription: RoomSubscription) {
    super(createRoomSource(live, null))
    // Creates the collator, 50 ms on a slow phone, in a task of its own instead of in that of the first who joins.
    setTimeout(() => compareNames('', ''))
    roomSubscription.addListener({
      onPageOpened: ({ room, users, total }) => {
        // A page of the same room is older than this state.
        if (this.isShownRoom(room.id)) return
        this.roomId = room.id
        this.reset(createRoomSource(live, room.id), firstPage(users, total))
      },
    })
    live.on(
      'users-in-room',
      ({ roomId, users, total }) => this.isShownRoom(roomId) && this.replaceFirstPage(firstPage(users, total)),
    )
    live.on('user-joined', ({ roomId, user }) => this.isShownRoom(roomId) && this.addUser(user))
    live.on('user-left', ({ roomId, username }) => this.isShownRoom(roomId) && this.removeUser(username))
    live.on('userStatusChanged', ({ username, isOnline }) => this.setOnlineStatus(username, isOnline))
    live.on('userUpdated', ({ user }) => this.updateUser(user))
  }

  /** Fetches again: events are missing. Rows further down are fetched when they come into view. */
  refresh(): void {
    this.markStale()
    void this.loadRows(0, 1)
  }

  private isShownRoom(roomId: RoomId): boolean {
    return roomId === this.roomId
  }
}

function createRoomSource(live: LiveClient, roomId: RoomId | null): PeopleSource {
  return {
    fetchPage: async (after) => (roomId === null ? null : await fetchRoomUsers(live, { roomId, after })),
    compareNames,
    matches: () => true,
    mayHaveContained: () => true,
    isUnfiltered: true,
  }
}

function firstPage(users: readonly Person[], total: number): PeoplePage {
  return { users, total, next: users.length < total ? (users.at(-1)?.username ?? null) : null }
}

/** A page of the room's users; null without an answer. */
export async function fetchRoomUsers(
  live: Pick<LiveClient, 'request'>,
  asked: CommandInput<'getRoomUsers'>,
): Promise<PeoplePage | null> {
  const answer = await live.request('getRoomUsers', asked)
  if (isFailure(answer)) return null
  return { users: answer.users, total: answer.total, next: answer.users.at(-1)?.username ?? null }
}
