import type { CommandAnswer } from '../../../shared/protocol/catalogue.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import { redactQuote } from '../../../shared/room-chat/redacted-quotes.ts'
import { parseSearchQuery, QUERY_TOO_SHORT_TEXT } from '../../../shared/text/search-words.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { addressGroup } from '../../kernel/http/client-address.ts'
import type { Connection } from '../../kernel/live/connection.ts'
import type { Handler } from '../../kernel/live/handler.ts'
import type { Viewer } from '../../kernel/live/visibility.ts'
import { roomMessages } from '../../model/conversations/message-table.ts'
import { listMessages, redactMessageFor } from '../../model/conversations/room-messages.ts'
import { getRemovedRanges, isRemoved } from '../../model/message-removal/queries.ts'
import { findContentRefusal } from '../../model/rooms/access.ts'
import { type SearchPage, searchMessages } from './search-messages.ts'
import type { SearchQueue } from './search-queue.ts'

const NOT_IN_ROOM_TEXT = 'Mesajları görmek için önce odaya girmelisin.'

/** A page of messages before or after an id. Refuses as `findReader`. */
export const getMessages: Handler<'getMessages'> = (appContext, connection, { roomId, before, after }) => {
  const viewer = findReader(appContext, connection, roomId)
  if (viewer instanceof Refusal) return viewer
  if (before !== undefined && after !== undefined) return refuse('InvalidInput', { path: 'after' })
  const page =
    after === undefined
      ? { roomId, id: before ?? Number.MAX_SAFE_INTEGER, side: 'before' as const }
      : { roomId, id: after, side: 'after' as const }
  return { roomId, ...appContext.reader.snapshot((reader) => listMessages(reader, viewer, page)) }
}

/** The handler of searches, with the queue that they wait in. */
export function createSearchHandler(turns: SearchQueue): Handler<'searchMessages'> {
  /** Messages of the room that contain the words. Refuses as `findReader`, or with InvalidInput or Busy. */
  return async (appContext, connection, { roomId, text, before }) => {
    const reader = findReader(appContext, connection, roomId)
    if (reader instanceof Refusal) return reader
    if (!parseSearchQuery(text)) return refuse('InvalidInput', { path: 'text', message: QUERY_TOO_SHORT_TEXT })
    const address = connection.address === null ? null : addressGroup(connection.address)
    const found = await turns.run(reader.userId, address, async () => {
      // The user may have left while the search waited.
      const viewer = findReader(appContext, connection, roomId)
      if (viewer instanceof Refusal) return viewer
      return appContext.readInWorker(searchMessages, { viewer, roomId, text, before })
    })
    return found instanceof Refusal ? found : redactFound(appContext, connection, roomId, found)
  }
}

/** What the viewer may still see of the result: they may have left or been removed during the search. */
function redactFound(
  appContext: AppContext,
  connection: Connection,
  roomId: RoomId,
  found: SearchPage,
): CommandAnswer<'searchMessages'> | Refusal {
  const viewer = findReader(appContext, connection, roomId)
  if (viewer instanceof Refusal) return viewer
  // Removals and blocks committed during the search have been sent to the client already, so apply them here.
  const removed = getRemovedRanges(appContext.reader, roomId)
  const messages = found.messages
    .filter((message) => !isRemoved(removed, message) && roomMessages.isPresent(appContext.reader, message.id))
    .map((message) => withPresentQuote(appContext, message))
  return { ...found, roomId, messages: messages.flatMap((message) => redactMessageFor(viewer, message) ?? []) }
}

/** The message with its quote, unless the quoted one was removed since it was read. */
function withPresentQuote({ reader }: AppContext, message: Message): Message {
  const { replyTo } = message
  return replyTo && replyTo.content !== null && !roomMessages.isPresent(reader, replyTo.id)
    ? redactQuote(message)
    : message
}

/**
 * The viewer, if the connection is in the room and its content is open to them: somebody who was in it when its password
 * was set needs that to read back. Refuses with NotInRoom, or as `findContentRefusal`.
 */
function findReader(appContext: AppContext, { state }: Connection, roomId: RoomId): Viewer | Refusal {
  if (state.name !== 'open') return refuse('NotSignedIn')
  if (state.roomId !== roomId) return refuse('NotInRoom', { message: NOT_IN_ROOM_TEXT })
  const { viewer } = state.identity
  return findContentRefusal(appContext, appContext.reader, viewer, roomId) ?? viewer
}
