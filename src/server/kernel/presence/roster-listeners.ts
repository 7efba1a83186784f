import type { Person } from '../../../shared/accounts/protocol.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Stream } from '../database/events/streams.ts'
import type { Connection } from '../live/connection.ts'
import { encodeEphemeral, type Publisher } from '../live/publisher.ts'
import type { PresenceViewer } from '../live/visibility.ts'
import { type Roster, type RosterListener, unmarked } from './roster.ts'
import { roomStream, rootAdminStream, watchedUserStream } from './streams.ts'

/** Publishes the changes of a room's roster to those who are in the room. A ghost's are for their own connections. */
export function roomListener(publisher: Publisher, roomId: RoomId): RosterListener {
  const stream = roomStream(roomId)
  const send = (value: Uint8Array, isFor: (userId: UserId | undefined) => boolean = () => true): void => {
    for (const connection of publisher.subscribers(stream))
      if (isFor(connection.identity?.viewer.userId)) publisher.enqueue(connection, value)
  }
  /** To those who see the person. */
  const sendOf = ({ id, isGhost }: Person, value: Uint8Array) =>
    isGhost ? send(value, (userId) => userId === id) : send(value)
  const joined = (person: Person) => encodeEphemeral('user-joined', { roomId, user: unmarked(person) })
  const left = ({ username }: Person) => encodeEphemeral('user-left', { roomId, username })
  return {
    onJoin: (person) => sendOf(person, joined(person)),
    onLeave: (person) => sendOf(person, left(person)),
    onOnlineChange: (person) =>
      sendOf(person, encodeEphemeral('userStatusChanged', { username: person.username, isOnline: person.isOnline })),
    onUpdate: (person, before) => {
      if (person.isGhost === before.isGhost) sendOf(person, encodeEphemeral('userUpdated', { user: unmarked(person) }))
      else send(person.isGhost ? left(before) : joined(person), (userId) => userId !== person.id)
    },
    sendSnapshot: (to, roster) => {
      const everybodys = encodeRoom(roomId, roster, null)
      for (const connection of to === 'everyone' ? publisher.subscribers(stream) : to) {
        const viewer = connection.identity?.viewer ?? null
        const { snapshot, forMention } = roster.isGhostHere(viewer) ? encodeRoom(roomId, roster, viewer) : everybodys
        publisher.enqueue(connection, snapshot)
        if (viewer?.role !== 'rootadmin') publisher.enqueue(connection, forMention)
      }
    },
  }
}

function encodeRoom(roomId: RoomId, roster: Roster, viewer: PresenceViewer | null) {
  const users = roster.page(viewer)
  const names = users.map(({ id, username }) => ({ id, username }))
  return {
    snapshot: encodeEphemeral('users-in-room', { roomId, users, total: roster.sizeFor(viewer) }),
    forMention: encodeEphemeral('activeUsersForMention', { roomId, users: names }),
  }
}

/** Publishes the changes of the site's roster to root admins, and each user's presence to those who watch it. */
export function siteListener(
  publisher: Publisher,
  isIn: (roomId: RoomId, userId: UserId, viewer: PresenceViewer | null) => boolean,
): RosterListener {
  const send = (value: Uint8Array): void => {
    for (const connection of publisher.subscribers(rootAdminStream)) publisher.enqueue(connection, value)
  }
  /** Those in a room with the user get the event there. */
  const sendElsewhere = (
    stream: Stream,
    userId: UserId,
    value: Uint8Array,
    isFor: (connection: Connection) => boolean = () => true,
  ): void => {
    for (const connection of publisher.subscribers(stream)) {
      const { roomId, identity } = connection
      const isInSameRoom = roomId !== null && isIn(roomId, userId, identity?.viewer ?? null)
      if (!isInSameRoom && isFor(connection)) publisher.enqueue(connection, value)
    }
  }
  const sendOnline = (person: Person, isOnline: boolean, isFor = sees(person)): void => {
    const { id, username } = person
    const stream = watchedUserStream(id)
    if (!publisher.hasSubscribers(stream)) return
    sendElsewhere(stream, id, encodeEphemeral('userStatusChanged', { username, isOnline }), isFor)
  }
  return {
    isSite: true,
    onJoin: (user) => {
      send(encodeEphemeral('userJoined', { user }))
      sendOnline(user, true)
    },
    onLeave: (user) => {
      send(encodeEphemeral('userLeft', { username: user.username }))
      if (user.isOnline) sendOnline(user, false)
    },
    onOnlineChange: (user) => sendOnline(user, user.isOnline),
    onUpdate: (user, before) => {
      const value = encodeEphemeral('userUpdated', { user })
      if (user.isGhost === before.isGhost) return sendElsewhere(rootAdminStream, user.id, value)
      // In a room a ghost leaves or enters, so that nothing there shows or ends the mark.
      send(value)
      const isOther = (connection: Connection) => !sees({ ...user, isGhost: true })(connection)
      if (user.isOnline) sendOnline(user, !user.isGhost, isOther)
    },
    sendSnapshot: (to, roster) => {
      const listeners = [...(to === 'everyone' ? publisher.subscribers(rootAdminStream) : to)].filter(isRootAdmin)
      const viewer = listeners[0]?.identity?.viewer
      if (!viewer) return
      const value = encodeEphemeral('activeUsers', { users: roster.page(viewer), count: roster.sizeFor(viewer) })
      for (const connection of listeners) publisher.enqueue(connection, value)
    },
  }
}

/** Which connections see the person on the site: all, but of a ghost their own and those of root admins. */
function sees({ id, isGhost }: Person): (connection: Connection) => boolean {
  return (connection) => !isGhost || isRootAdmin(connection) || connection.identity?.viewer.userId === id
}

function isRootAdmin(connection: Connection): boolean {
  return connection.identity?.viewer.role === 'rootadmin'
}
