import type { Person } from '../../shared/accounts/protocol.ts'
import { compareNames } from '../../shared/presence/order.ts'
import type { CommandInput } from '../../shared/protocol/catalogue.ts'
import { Refusal } from '../../shared/protocol/refusals.ts'
import type { Live } from '../live/live.ts'
import { PagedPeople, type PeoplePage, type PeopleSource } from '../presence/paged-people.ts'
import type { RoomLine } from './room-line.ts'

/** Who is in the room whose page is shown. */
export class People extends PagedPeople {
  private roomId: number | null = null

  constructor(live: Live, roomLine: RoomLine) {
    super(roomSource(live, null))
    roomLine.listen({
      opened: ({ room, users, total }) => {
        // The same room's page again knows less than we do by now.
        if (this.isHere(room.id)) return
        this.roomId = room.id
        this.open(roomSource(live, room.id), firstPage(users, total))
      },
    })
    live.on('users-in-room', ({ roomId, users, total }) => this.isHere(roomId) && this.begin(firstPage(users, total)))
    live.on('user-joined', ({ roomId, user }) => this.isHere(roomId) && this.joined(user))
    live.on('user-left', ({ roomId, username }) => this.isHere(roomId) && this.left(username))
    live.on('userStatusChanged', ({ username, isOnline }) => this.statusChanged(username, isOnline))
    live.on('userUpdated', ({ user }) => this.updated(user))
  }

  private isHere(roomId: number): boolean {
    return roomId === this.roomId
  }
}

function roomSource(live: Live, roomId: number | null): PeopleSource {
  return {
    ask: async (after) => (roomId === null ? null : await askForPeople(live, { roomId, after })),
    order: compareNames,
    fits: () => true,
    had: () => true,
    isOfEveryone: true,
  }
}

function firstPage(users: readonly Person[], total: number): PeoplePage {
  return { users, total, next: users.length < total ? (users.at(-1)?.username ?? null) : null }
}

/** A page of people of the room; null when it could not be had. */
export async function askForPeople(
  live: Pick<Live, 'request'>,
  asked: CommandInput<'getRoomUsers'>,
): Promise<PeoplePage | null> {
  const answer = await live.request('getRoomUsers', asked)
  if (typeof answer === 'string' || answer instanceof Refusal) return null
  return { users: answer.users, total: answer.total, next: answer.users.at(-1)?.username ?? null }
}
