import { refuse } from '../../../shared/protocol/refusals.ts'
import type { Handler } from '../../kernel/live/handler.ts'
import { findContentRefusal } from '../../model/rooms/access.ts'
import { getLastVisibleMessageId } from '../../model/site-status/queries.ts'
import { roomActivityStream } from '../../model/site-status/streams.ts'

export const getStatus: Handler<'getStatus'> = (appContext, connection, { roomId }) => {
  if (roomId !== undefined && connection.roomId !== roomId) return refuse('NotInRoom')
  return {
    ...appContext.presence.counts(roomId ?? null, connection.identity?.viewer ?? null),
    owner: appContext.config.owner,
  }
}

/** Subscribes the connection to the activity of those of these rooms whose content is open to it, in place of the rooms that it watched before. */
export const watchRooms: Handler<'watchRooms'> = (appContext, connection, { roomIds }) => {
  const viewer = connection.identity?.viewer ?? null
  const wanted = new Set(roomIds.map(roomActivityStream))
  for (const stream of connection.streams) {
    if (roomActivityStream.idOf(stream) !== null && !wanted.has(stream))
      appContext.publisher.unsubscribe(connection, stream)
  }
  const rooms = appContext.reader.snapshot((reader) =>
    [...new Set(roomIds)]
      .filter((roomId) => viewer && !findContentRefusal(appContext, reader, viewer, roomId))
      .map((roomId) => ({ roomId, messageId: getLastVisibleMessageId(reader, roomId, viewer) })),
  )
  for (const { roomId } of rooms) appContext.publisher.subscribe(connection, roomActivityStream(roomId), 0)
  return { rooms }
}
