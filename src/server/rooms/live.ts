import { decode } from '@msgpack/msgpack'
import { GENDER_FILTER_IS_PREMIUM, mayFilterByGender } from '../../shared/presence/rules.ts'
import { Kind } from '../../shared/protocol/frame.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { eventsSince, type LoggedEvent } from '../database/events.ts'
import { Followed, type Handler } from '../live/outcome.ts'
import { encodeMoment } from '../live/publish.ts'
import { Told } from '../live/told.ts'
import type { Viewer } from '../live/visibility.ts'
import { isExempt } from '../room-chat/access.ts'
import { listLatestMessages } from '../room-chat/queries.ts'
import { enterableRoom } from './access.ts'
import { listRooms } from './queries.ts'

export const getRooms: Handler<'getRooms'> = (world) => ({
  rooms: listRooms(world.read, (roomId) => world.presence.countIn(roomId)),
})

/** Enters a room: its events since the page's cursor come inside the answer, or its messages after it. */
export const joinRoom: Handler<'joinRoom'> = (world, connection, { roomId, cursor: known }) => {
  const viewer = connection.identity?.viewer
  if (!viewer) return refuse('NotSignedIn')
  const waitMs = world.snapshots.take(String(viewer.userId), world.clock())
  if (waitMs > 0) return refuse('RateLimited', { waitMs })
  const stream = `room:${roomId}`
  const found = world.read.snapshot((reader) => {
    const room = enterableRoom(world, reader, viewer, roomId)
    if (room instanceof Refusal) return room
    const missed = known === undefined ? null : eventsSince(reader, known, [stream])
    const messages = missed ? null : listLatestMessages(reader, roomId, viewer)
    return { room, missed, messages, cursor: reader.cursor(), exempt: isExempt(reader, viewer, room) }
  })
  if (found instanceof Refusal) return found
  const { room, missed, messages, cursor, exempt } = found

  if (connection.roomId !== null && connection.roomId !== roomId) {
    world.publisher.unsubscribe(connection, `room:${connection.roomId}`)
  }
  world.publisher.subscribe(connection, stream, cursor)
  world.presence.enterRoom(connection, roomId)
  const heard = missed?.flatMap((event) => asValue(event, viewer))
  const inRoomForMs = Math.max(0, Math.floor(world.presence.inRoomFor(roomId, viewer.userId) ?? 0))
  const answer = { room: { ...room, activeUsers: world.presence.countIn(roomId) }, cursor, exempt, inRoomForMs }
  if (heard) return { ...answer, missed: heard }
  return new Followed(answer, () => {
    if (messages) world.publisher.push(connection, encodeMoment('loadRoomMessages', { roomId, messages }))
  })
}

export const getRoomUsers: Handler<'getRoomUsers'> = (world, connection, { roomId, after, search, gender }) => {
  const viewer = connection.identity?.person
  if (!viewer || connection.roomId !== roomId) return refuse('NotInRoom')
  if (gender && !mayFilterByGender(viewer)) return refuse('Forbidden', { message: GENDER_FILTER_IS_PREMIUM })
  return { roomId, ...world.presence.findIn(roomId, { search, gender }, after) }
}

/** The event as this viewer hears it: one value, or none. */
function asValue(event: LoggedEvent, viewer: Viewer): [typeof Kind.event, number, string, unknown][] {
  const form = new Told(event).formFor(viewer)
  return form ? [[Kind.event, event.seq, event.name, decode(form.payload)]] : []
}
