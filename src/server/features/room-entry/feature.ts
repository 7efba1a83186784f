import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { checkRoomPassword, roomSeats } from '../../model/rooms/entry-services.ts'
import { createPasswordCheck } from './check-room-password.ts'
import { closedMentions } from './closed-mentions.ts'
import { excludeFromRooms } from './room-exclusion.ts'
import { RoomSeats } from './room-seats.ts'
import { roomEntryRoutes } from './routes.ts'

/** Who may enter a room, and who may write to it. */
export function createFeature({ appContext, peerBus }: FeatureContext): Feature {
  excludeFromRooms(appContext)
  const seats = new RoomSeats(appContext, peerBus)
  return {
    services: [checkRoomPassword.providedBy(createPasswordCheck(appContext)), roomSeats.providedBy(seats)],
    close: () => seats.close(),
    live: closedMentions,
    registerRoutes: (app) => roomEntryRoutes(app, appContext),
  }
}
