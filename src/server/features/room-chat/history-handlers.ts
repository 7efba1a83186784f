import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Handler } from '../../kernel/live/handler.ts'
import { findRoomReader } from '../../model/conversations/access.ts'
import { listMessages } from '../../model/conversations/room-messages.ts'

/** A page of messages before or after an id. Refuses as `findRoomReader`. */
export const getMessages: Handler<'getMessages'> = (appContext, connection, { roomId, before, after }) => {
  const viewer = findRoomReader(appContext, connection, roomId)
  if (viewer instanceof Refusal) return viewer
  if (before !== undefined && after !== undefined) return refuse('InvalidInput', { path: 'after' })
  const page =
    after === undefined
      ? { roomId, id: before ?? Number.MAX_SAFE_INTEGER, side: 'before' as const }
      : { roomId, id: after, side: 'after' as const }
  return { roomId, ...appContext.reader.snapshot((reader) => listMessages(reader, viewer, page)) }
}
