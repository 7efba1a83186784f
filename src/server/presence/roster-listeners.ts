import type { Person } from '../../shared/accounts/protocol.ts'
import type { RoomId, UserId } from '../../shared/protocol/ids.ts'
import type { Stream } from '../database/streams.ts'
import type { Connection } from '../live/connection.ts'
import { encodeEphemeral, type Publisher } from '../live/publisher.ts'
import { roomStream } from '../rooms/streams.ts'
import type { RosterListener } from './roster.ts'
import { rootAdminStream, watchedUserStream } from './streams.ts'

/** Publishes the changes of a room's roster to those who are in the room. */
export function roomListener(publisher: Publisher, roomId: RoomId): RosterListener {
  const stream = roomStream(roomId)
  return {
    onJoin: (user) => publisher.publishEphemeral(stream, 'user-joined', { roomId, user }),
    onLeave: ({ username }) => publisher.publishEphemeral(stream, 'user-left', { roomId, username }),
    onOnlineChange: ({ username, isOnline }) =>
      publisher.publishEphemeral(stream, 'userStatusChanged', { username, isOnline }),
    onUpdate: (user) => publisher.publishEphemeral(stream, 'userUpdated', { user }),
    sendSnapshot: (to, roster) => {
      const users = roster.page()
      const snapshot = encodeEphemeral('users-in-room', { roomId, users, total: roster.size })
      const names = users.map(({ id, username }) => ({ id, username }))
      const forMention = encodeEphemeral('activeUsersForMention', { roomId, users: names })
      for (const connection of to === 'everyone' ? publisher.subscribers(stream) : to) {
        publisher.enqueue(connection, snapshot)
        if (connection.identity?.viewer.role !== 'rootadmin') publisher.enqueue(connection, forMention)
      }
    },
  }
}

/** Publishes the changes of the site's roster to root admins, and each user's presence to those who watch it. */
export function siteListener(publisher: Publisher, isIn: (roomId: RoomId, userId: UserId) => boolean): RosterListener {
  /** Those in a room with the user get the event there. */
  const sendElsewhere = (stream: Stream, userId: UserId, value: Uint8Array): void => {
    for (const connection of publisher.subscribers(stream)) {
      const isInSameRoom = connection.roomId !== null && isIn(connection.roomId, userId)
      if (!isInSameRoom) publisher.enqueue(connection, value)
    }
  }
  const sendOnline = ({ id, username }: Person, isOnline: boolean): void => {
    const stream = watchedUserStream(id)
    if (!publisher.hasSubscribers(stream)) return
    sendElsewhere(stream, id, encodeEphemeral('userStatusChanged', { username, isOnline }))
  }
  return {
    onJoin: (user) => {
      publisher.publishEphemeral(rootAdminStream, 'userJoined', { user })
      sendOnline(user, true)
    },
    onLeave: (user) => {
      publisher.publishEphemeral(rootAdminStream, 'userLeft', { username: user.username })
      if (user.isOnline) sendOnline(user, false)
    },
    onOnlineChange: (user) => sendOnline(user, user.isOnline),
    onUpdate: (user) => sendElsewhere(rootAdminStream, user.id, encodeEphemeral('userUpdated', { user })),
    sendSnapshot: (to, roster) => {
      const listeners = [...(to === 'everyone' ? publisher.subscribers(rootAdminStream) : to)].filter(isRootAdmin)
      if (listeners.length === 0) return
      const value = encodeEphemeral('activeUsers', { users: roster.page(), count: roster.size })
      for (const connection of listeners) publisher.enqueue(connection, value)
    },
  }
}

function isRootAdmin(connection: Connection): boolean {
  return connection.identity?.viewer.role === 'rootadmin'
}
