import type { Person } from '../../../shared/accounts/protocol.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Stream } from '../database/events/streams.ts'
import type { Connection } from '../live/connection.ts'
import { encodeEphemeral, type Publisher } from '../live/publisher.ts'
import type { PresenceViewer } from '../live/visibility.ts'
import type { RosterView } from './roster-view.ts'
import type { RosterListener } from './roster-views.ts'
import { roomStream, rootAdminStream, watchedUserStream } from './streams.ts'

/** Who receives what is published of a roster. */
export interface RosterReceivers {
  publisher: Publisher
  connectionsOf(userId: UserId): readonly Connection[]
}

/** The subscribers of a stream that a view of a roster is sent to. */
export function receiversOf(
  { publisher, connectionsOf }: RosterReceivers,
  stream: Stream,
  { owner, servesAll, serves }: Pick<RosterView, 'owner' | 'servesAll' | 'serves'>,
): Iterable<Connection> {
  if (typeof owner === 'number') return connectionsOf(owner).filter(({ streams }) => streams.has(stream))
  const subscribers = publisher.subscribers(stream)
  return servesAll ? subscribers : [...subscribers].filter(serves)
}

/** Publishes the changes of a room's roster to those who are in the room. */
export function roomListener(receivers: RosterReceivers, roomId: RoomId): RosterListener {
  const { publisher } = receivers
  const stream = roomStream(roomId)
  const send = (view: RosterView, value: Uint8Array): void => {
    for (const connection of receiversOf(receivers, stream, view)) publisher.enqueue(connection, value)
  }
  return {
    onJoin: (user, view) => send(view, encodeEphemeral('user-joined', { roomId, user })),
    onLeave: ({ username }, view) => send(view, encodeEphemeral('user-left', { roomId, username })),
    onOnlineChange: ({ username, isOnline }, view) =>
      send(view, encodeEphemeral('userStatusChanged', { username, isOnline })),
    onUpdate: (user, view) => send(view, encodeEphemeral('userUpdated', { user })),
    sendSnapshot: (to, view) => {
      const users = view.page()
      const snapshot = encodeEphemeral('users-in-room', { roomId, users, total: view.size })
      const names = users.map(({ id, username }) => ({ id, username }))
      const forMention = encodeEphemeral('activeUsersForMention', { roomId, users: names })
      for (const connection of to === 'everyone' ? receiversOf(receivers, stream, view) : to) {
        publisher.enqueue(connection, snapshot)
        if (connection.identity?.viewer.role !== 'rootadmin') publisher.enqueue(connection, forMention)
      }
    },
  }
}

/** Publishes the changes of the site's roster to root admins, and each user's presence to those who watch it. */
export function siteListener(
  receivers: RosterReceivers,
  isIn: (roomId: RoomId, userId: UserId, viewer: PresenceViewer | null) => boolean,
): RosterListener {
  const { publisher } = receivers
  const send = (view: RosterView, value: Uint8Array): void => {
    for (const connection of receiversOf(receivers, rootAdminStream, view)) publisher.enqueue(connection, value)
  }
  /** Those in a room with the user get the event there. */
  const sendElsewhere = (view: RosterView, stream: Stream, userId: UserId, value: Uint8Array): void => {
    for (const connection of receiversOf(receivers, stream, view)) {
      const { roomId, identity } = connection
      const isInSameRoom = roomId !== null && isIn(roomId, userId, identity?.viewer ?? null)
      if (!isInSameRoom) publisher.enqueue(connection, value)
    }
  }
  const sendOnline = ({ id, username }: Person, isOnline: boolean, view: RosterView): void => {
    const stream = watchedUserStream(id)
    if (!publisher.hasSubscribers(stream)) return
    sendElsewhere(view, stream, id, encodeEphemeral('userStatusChanged', { username, isOnline }))
  }
  return {
    isSite: true,
    onJoin: (user, view) => {
      send(view, encodeEphemeral('userJoined', { user }))
      sendOnline(user, true, view)
    },
    onLeave: (user, view) => {
      send(view, encodeEphemeral('userLeft', { username: user.username }))
      if (user.isOnline) sendOnline(user, false, view)
    },
    onOnlineChange: (user, view) => sendOnline(user, user.isOnline, view),
    onUpdate: (user, view, before) => {
      const value = encodeEphemeral('userUpdated', { user })
      // In a room a ghost leaves or enters, so that nothing there shows or ends the mark.
      if (user.isGhost !== before.isGhost) send(view, value)
      else sendElsewhere(view, rootAdminStream, user.id, value)
    },
    sendSnapshot: (to, view) => {
      const listeners = [...(to === 'everyone' ? receiversOf(receivers, rootAdminStream, view) : to)].filter(
        isRootAdmin,
      )
      if (listeners.length === 0) return
      const value = encodeEphemeral('activeUsers', { users: view.page(), count: view.size })
      for (const connection of listeners) publisher.enqueue(connection, value)
    },
  }
}

function isRootAdmin(connection: Connection): boolean {
  return connection.identity?.viewer.role === 'rootadmin'
}
