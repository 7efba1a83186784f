import type { RoomId } from '../../../shared/protocol/ids.ts'
import { decodeEventPayload, isEvent, type LoggedEvent } from '../../kernel/database/logged-event.ts'
import { userStream } from '../../kernel/database/streams.ts'
import type { LiveHooks } from '../../kernel/live/define-live-hooks.ts'
import { mayUserLearnOf } from '../../model/rooms/access.ts'

/** Mentions in a room that has been closed to their recipient since are not replayed. */
export const closedMentions: LiveHooks = {
  isObsolete(reader, event, now) {
    const roomId = roomOfMention(event)
    const userId = userStream.idOf(event.stream)
    return roomId !== null && userId !== null && !mayUserLearnOf(reader, userId, roomId, now)
  },
}

function roomOfMention(event: LoggedEvent): RoomId | null {
  if (isEvent(event, 'mentionNotification')) return decodeEventPayload(event).roomId
  return isEvent(event, 'newNotification') ? decodeEventPayload(event).roomId : null
}
