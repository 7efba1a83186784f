import { randomUUID } from 'node:crypto'
import { refuse } from '../../shared/protocol/refusals.ts'
import { plainText } from '../../shared/text/plain-text.ts'
import type { Handler } from '../live/handler.ts'

/**
 * Hands the message to the writer, with how long this region has seen its sender in the room. What has nothing to see
 * does not get there: no limit binds it, and the writer keeps each answer.
 */
export const sendMessage: Handler<'sendMessage'> = (
  world,
  connection,
  { roomId, content, replyTo, clientId = randomUUID() },
) => {
  const viewer = connection.identity?.viewer
  if (!viewer) return refuse('NotSignedIn')
  if (!plainText(content)) return { success: true }
  const inRoomForMs = connection.roomId === roomId ? world.presence.roomDwellMs(roomId, viewer.userId) : null
  world.typing.removeTypingUser(roomId, viewer.userId)
  const input = { roomId, content, ...(replyTo && { replyTo }), clientId }
  return world.execute('sendMessage', viewer, input, { clientId, actorContext: { inRoomForMs } })
}

/** Passes on to the room that somebody in it is writing. */
export const typing: Handler<'typing'> = (world, connection, { roomId }) => {
  const { identity } = connection
  if (!identity || connection.roomId !== roomId) return refuse('NotInRoom')
  const { id, username } = identity.person
  world.typing.addTypingUser(roomId, { id, username })
  return { success: true }
}
