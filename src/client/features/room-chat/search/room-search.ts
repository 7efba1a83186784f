import type { LiveClient } from '../../../core/live/live-client.ts'
import type { SearchSource } from '../../../model/conversation/search/message-search.ts'
import { listenForBlocks } from '../../../model/relations/block-listener.ts'

/** The messages of the room in which the tab is. */
export function roomSearchSource(live: LiveClient): SearchSource {
  return {
    requestPage: async (input) =>
      live.roomId === null ? 'disconnected' : live.request('searchMessages', { roomId: live.roomId, ...input }),
    subscribe: (results) => [
      live.on('clearMessages', ({ roomId }) => roomId === live.roomId && results.clear()),
      live.on('removeBannedMessages', ({ userId }) => results.removeSender(userId)),
      live.on('messageRemoved', ({ id }) => results.removeMessage(id)),
      // Hidden messages disappear at once; a new search covers quotes of them and pending answers.
      listenForBlocks(live, {
        onBlocked: (userId) => {
          results.removeSender(userId)
          results.refresh()
        },
        onUnblocked: () => results.refresh(),
      }),
      // A removal may be among the missed events.
      live.on('loadRoomMessages', () => results.refresh()),
    ],
  }
}
