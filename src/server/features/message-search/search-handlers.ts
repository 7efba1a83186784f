import type { CommandAnswer } from '../../../shared/protocol/catalogue.ts'
import type { MessageId, RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Quote } from '../../../shared/room-chat/message.ts'
import { redactQuote } from '../../../shared/room-chat/redacted-quotes.ts'
import { parseSearchQuery, QUERY_TOO_SHORT_TEXT } from '../../../shared/text/search-words.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { addressGroup } from '../../kernel/http/client-address.ts'
import type { Connection } from '../../kernel/live/connection.ts'
import type { Handler } from '../../kernel/live/handler.ts'
import type { Viewer } from '../../kernel/live/visibility.ts'
import { findRoomReader } from '../../model/conversations/access.ts'
import { findOwnView } from '../../model/conversations/direct-messages.ts'
import { directMessages, roomMessages } from '../../model/conversations/message-table.ts'
import { redactMessageFor } from '../../model/conversations/room-messages.ts'
import { getRemovedRanges, isRemoved } from '../../model/message-removal/queries.ts'
import { getParticipants } from '../../model/relations/access.ts'
import { type SearchPage, searchDirectMessages, searchMessages } from './search-messages.ts'
import type { SearchQueue } from './search-queue.ts'

/** The handlers of searches, with the queue that they wait in. */
export function createSearchHandlers(queue: SearchQueue): {
  searchMessages: Handler<'searchMessages'>
  searchDirectMessages: Handler<'searchDirectMessages'>
} {
  return {
    /** Messages of the room that contain the words. Refuses as `findRoomReader`, or as `searchInTurn`. */
    searchMessages: async (appContext, connection, { roomId, text, before }) => {
      const findViewer = () => findRoomReader(appContext, connection, roomId)
      const found = await searchInTurn(queue, connection, text, findViewer, (viewer) =>
        appContext.readInWorker(searchMessages, { viewer, roomId, text, before }),
      )
      return found instanceof Refusal ? found : redactFound(appContext, connection, roomId, found)
    },
    /** Messages of the viewer's conversation with this user that contain the words. Refuses as `searchInTurn`. */
    searchDirectMessages: async (appContext, connection, { userId: otherId, text, before }) => {
      // A connection that has closed while its search waited keeps its identity.
      const findViewer = () =>
        connection.state.name === 'open' ? connection.state.identity.viewer : refuse('NotSignedIn')
      const found = await searchInTurn(queue, connection, text, findViewer, ({ userId: ownId }) =>
        appContext.readInWorker(searchDirectMessages, { ownId, otherId, text, before }),
      )
      if (found instanceof Refusal) return found
      const viewer = findViewer()
      if (viewer instanceof Refusal) return viewer
      // What was deleted or removed during the search is not shown.
      const { reader } = appContext
      const participants = getParticipants(reader, viewer.userId, otherId)
      const above = (participants && findOwnView(reader, participants))?.above ?? Number.MAX_SAFE_INTEGER
      const isPresent = (id: MessageId) => id > above && directMessages.isPresent(reader, id)
      const messages = found.messages.filter(({ id }) => isPresent(id))
      return { ...found, userId: otherId, messages: messages.map((message) => withPresentQuote(message, isPresent)) }
    },
  }
}

/**
 * Searches when it is the viewer's turn. Refuses as `findViewer`, which is asked again after the wait, with InvalidInput
 * for a query that is too short, or with Busy.
 */
async function searchInTurn<Found extends object>(
  queue: SearchQueue,
  connection: Connection,
  text: string,
  findViewer: () => Viewer | Refusal,
  search: (viewer: Viewer) => Promise<Found | Refusal>,
): Promise<Found | Refusal> {
  const viewer = findViewer()
  if (viewer instanceof Refusal) return viewer
  if (!parseSearchQuery(text)) return refuse('InvalidInput', { path: 'text', message: QUERY_TOO_SHORT_TEXT })
  const address = connection.address === null ? null : addressGroup(connection.address)
  return queue.run(viewer.userId, address, async () => {
    const present = findViewer()
    return present instanceof Refusal ? present : search(present)
  })
}

/** What the viewer may still see of the result: they may have left or been removed during the search. */
function redactFound(
  appContext: AppContext,
  connection: Connection,
  roomId: RoomId,
  found: SearchPage<CommandAnswer<'searchMessages'>['messages'][number]>,
): CommandAnswer<'searchMessages'> | Refusal {
  const viewer = findRoomReader(appContext, connection, roomId)
  if (viewer instanceof Refusal) return viewer
  // Removals and blocks committed during the search have been sent to the client already, so apply them here.
  const { reader } = appContext
  const removed = getRemovedRanges(reader, roomId)
  const isPresent = (id: MessageId) => roomMessages.isPresent(reader, id)
  const messages = found.messages
    .filter((message) => !isRemoved(removed, message) && isPresent(message.id))
    .map((message) => withPresentQuote(message, isPresent))
  return { ...found, roomId, messages: messages.flatMap((message) => redactMessageFor(viewer, message) ?? []) }
}

/** The message with its quote, unless the quoted one was removed since it was read. */
function withPresentQuote<M extends { replyTo?: Quote | undefined }>(
  message: M,
  isPresent: (id: MessageId) => boolean,
): M {
  const { replyTo } = message
  return replyTo && replyTo.content !== null && !isPresent(replyTo.id) ? redactQuote(message) : message
}
