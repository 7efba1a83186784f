import type { RoomId } from '../../../shared/protocol/ids.ts'
import { decodeEventPayload, isEvent, type LoggedEvent } from '../../kernel/database/events/logged-event.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import type { LiveHooks } from '../../kernel/live/define-live-hooks.ts'
import { mayUserLearnOf } from '../../model/rooms/access.ts'
import { checkRoomPassword, roomSeats } from '../../model/rooms/entry-services.ts'
import { createPasswordCheck } from './check-room-password.ts'
import { excludeFromRooms } from './room-exclusion.ts'
import { RoomSeats } from './room-seats.ts'
import { roomAccessRoutes } from './routes.ts'

/** Mentions in a room that has been closed to their recipient since are not replayed. */
const closedMentions: LiveHooks = {
  isObsolete(reader, event, now) {
    const roomId = roomOfMention(event)
    const userId = userStream.idOf(event.stream)
    return roomId !== null && userId !== null && !mayUserLearnOf(reader, userId, roomId, now)
  },
}

/** Who may enter a room, and who may write to it. */
export function createFeature({ appContext, peerBus }: FeatureContext): Feature {
  excludeFromRooms(appContext)
  const seats = new RoomSeats(appContext, peerBus)
  return {
    services: [checkRoomPassword.providedBy(createPasswordCheck(appContext)), roomSeats.providedBy(seats)],
    close: () => seats.close(),
    live: closedMentions,
    registerRoutes: (app) => roomAccessRoutes(app, appContext),
  }
}

function roomOfMention(event: LoggedEvent): RoomId | null {
  if (isEvent(event, 'mentionNotification')) return decodeEventPayload(event).roomId
  return isEvent(event, 'newNotification') ? decodeEventPayload(event).roomId : null
}
