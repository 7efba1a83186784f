import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Connection } from '../../kernel/live/connection.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { findContentRefusal } from '../../model/rooms/access.ts'
import { roomActivityStream } from '../../model/site-status/streams.ts'

/**
 * Takes users out of rooms in this region, as the log says: a banned user leaves the room at once, before they could
 * receive anything further of it, as does a former admin who has not given its password; and a room with a new password is
 * no longer watched by those without it.
 */
export function excludeFromRooms(appContext: AppContext): void {
  const { publisher, presence } = appContext
  publisher.on('userRoomBanned', ({ payload: { roomId, userId } }) => excludeUser(appContext, roomId, userId))
  publisher.on('roomAdminRemoved', ({ payload: { roomId, userId } }) => {
    for (const connection of presence.connectionsOf(userId)) {
      if (!isClosedTo(appContext, connection, roomId)) continue
      if (connection.roomId === roomId) presence.leaveRoom(connection, 'left')
      publisher.unsubscribe(connection, roomStream(roomId))
      stopWatching(appContext, connection, roomId)
    }
  })
  publisher.on('roomPasswordUpdated', ({ payload: { roomId } }) => {
    for (const connection of [...publisher.subscribers(roomActivityStream(roomId))])
      stopWatching(appContext, connection, roomId)
  })

  function excludeUser(context: AppContext, roomId: RoomId, userId: UserId): void {
    presence.removeFromRoom(roomId, userId)
    for (const connection of presence.connectionsOf(userId)) {
      publisher.unsubscribe(connection, roomStream(roomId))
      stopWatching(context, connection, roomId)
    }
  }
}

/** Ends the connection's watch of a room whose content is closed to it. */
function stopWatching(appContext: AppContext, connection: Connection, roomId: RoomId): void {
  if (isClosedTo(appContext, connection, roomId))
    appContext.publisher.unsubscribe(connection, roomActivityStream(roomId))
}

function isClosedTo(appContext: AppContext, { identity }: Connection, roomId: RoomId): boolean {
  return !identity || findContentRefusal(appContext, appContext.reader, identity.viewer, roomId) !== null
}
