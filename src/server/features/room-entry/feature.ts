import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { type CheckRoomPassword, createPasswordCheck } from './check-room-password.ts'
import { excludeFromRooms } from './room-exclusion.ts'
import { RoomSeats } from './room-seats.ts'
import { roomEntryRoutes } from './routes.ts'

declare module '../../kernel/feature.ts' {
  interface FeatureServices {
    /** Checks a room's password, and opens the room to the session when it is right. */
    checkRoomPassword: CheckRoomPassword
    /** The seats of rooms near their capacity. */
    roomSeats: RoomSeats
  }
}

/** Who may enter a room, and who may write to it. */
export function createFeature({ appContext, peerBus }: FeatureContext): Feature {
  excludeFromRooms(appContext)
  const roomSeats = new RoomSeats(appContext, peerBus)
  const checkRoomPassword = createPasswordCheck(appContext)
  return {
    services: { checkRoomPassword, roomSeats },
    close: () => roomSeats.close(),
    registerRoutes: (app) => roomEntryRoutes(app, appContext),
  }
}
