import { decode } from '@msgpack/msgpack'
import { canFilterByGender, GENDER_FILTER_IS_PREMIUM } from '../../../shared/presence/rules.ts'
import type { CommandInput } from '../../../shared/protocol/catalogue.ts'
import { Kind } from '../../../shared/protocol/frame.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { eventsSince } from '../../kernel/database/events/events.ts'
import type { LoggedEvent } from '../../kernel/database/events/logged-event.ts'
import type { Connection } from '../../kernel/live/connection.ts'
import { AnswerWithFollowUp, type Handler } from '../../kernel/live/handler.ts'
import { OutboundEvent } from '../../kernel/live/outbound-event.ts'
import { encodeEphemeral } from '../../kernel/live/publisher.ts'
import { canReceive, type Viewer } from '../../kernel/live/visibility.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { roomTimeForChatLimits } from '../../model/conversations/access.ts'
import { listLatestMessages } from '../../model/conversations/room-messages.ts'
import { findContentRefusal, findOpenRoom, mayManageRoom, takeSeat } from '../../model/rooms/access.ts'
import { roomVisits } from '../../model/rooms/entry-services.ts'
import { roomList } from './room-list.ts'

export const getRooms: Handler<'getRooms'> = (appContext, { identity }) => ({
  rooms: appContext.service(roomList).all(appContext.reader, identity?.viewer ?? null),
})

export const watchRoomCounts: Handler<'watchRoomCounts'> = (appContext, connection, { scope }) => ({
  rooms: appContext.presence.roomCounts.watch(connection, scope),
})

/** Joins a room. With a cursor that can be replayed the answer carries the missed events; else messages follow the answer. */
export const joinRoom: Handler<'joinRoom'> = (appContext, connection, input) => {
  const viewer = connection.identity?.viewer
  if (!viewer) return refuse('NotSignedIn')
  const room = findOpenRoom(appContext, appContext.reader, viewer, input.roomId)
  if (room instanceof Refusal) return room
  const seat = takeSeat(appContext, appContext.reader, viewer, room)
  if (seat instanceof Promise) return seat.then((refusal) => refusal ?? enterRoom(appContext, connection, input))
  return seat ?? enterRoom(appContext, connection, input)
}

/** Enters a room in which the user has a seat, if it is still open to them: taking the seat may have taken a while. */
const enterRoom = (
  appContext: AppContext,
  connection: Connection,
  { roomId, cursor: clientCursor }: CommandInput<'joinRoom'>,
) => {
  const viewer = connection.identity?.viewer
  if (!viewer || connection.isClosed) return refuse('NotSignedIn')
  const stream = roomStream(roomId)
  const { recentEvents } = appContext.publisher
  const snapshot = appContext.reader.snapshot((reader) => {
    const room = findOpenRoom(appContext, reader, viewer, roomId)
    if (room instanceof Refusal) return room
    const missed =
      clientCursor === undefined
        ? null
        : eventsSince(reader, clientCursor, [stream], recentEvents, (event) => canReceive(viewer, event))
    const messages = missed ? null : listLatestMessages(reader, roomId, viewer)
    return { room, missed, messages, cursor: reader.cursor(), exempt: mayManageRoom(reader, viewer, room) }
  })
  if (snapshot instanceof Refusal) return snapshot
  const { room, missed, messages, cursor, exempt } = snapshot

  if (connection.roomId !== null && connection.roomId !== roomId) {
    appContext.publisher.unsubscribe(connection, roomStream(connection.roomId))
  }
  appContext.publisher.subscribe(connection, stream, cursor)
  appContext.presence.enterRoom(connection, roomId)
  appContext.service(roomVisits).onEntered(roomId, viewer.userId)
  const missedEvents = missed?.flatMap((event) => toWireEvents(event, viewer))
  const inRoomForMs = Math.max(0, Math.floor(roomTimeForChatLimits(appContext, roomId, viewer.userId) ?? 0))
  const answer = {
    room: { ...room, activeUsers: appContext.presence.roomCount(roomId, viewer) },
    cursor,
    exempt,
    inRoomForMs,
  }
  if (missedEvents) return { ...answer, missed: missedEvents }
  return new AnswerWithFollowUp(answer, () => {
    if (messages) appContext.publisher.enqueue(connection, encodeEphemeral('loadRoomMessages', { roomId, messages }))
  })
}

export const getRoomUsers: Handler<'getRoomUsers'> = (appContext, connection, { roomId, after, search, gender }) => {
  const { viewer: actor, person: viewer } = connection.identity ?? {}
  if (!viewer || !actor || connection.roomId !== roomId) return refuse('NotInRoom')
  const refusal = findContentRefusal(appContext, appContext.reader, actor, roomId)
  if (refusal) return refusal
  if (gender && !canFilterByGender(viewer)) return refuse('Forbidden', { message: GENDER_FILTER_IS_PREMIUM })
  return { roomId, ...appContext.presence.searchRoom(roomId, actor, { search, gender }, after) }
}

/** The event as an array of one wire value, or empty when this viewer may not receive it. */
function toWireEvents(event: LoggedEvent, viewer: Viewer): [typeof Kind.event, number, string, unknown][] {
  const encoded = new OutboundEvent(event).encodedFor(viewer)
  return encoded ? [[Kind.event, event.seq, event.name, decode(encoded.payload)]] : []
}
