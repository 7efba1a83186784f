import type { Feature, FeatureContext } from '../features.ts'
import { getRooms, getRoomUsers, joinRoom } from './live-handlers.ts'
import { roomRoutes } from './routes.ts'
import { seedDefaultRooms } from './seed-default-rooms.ts'

/** Rooms and entering them. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return {
    handlers: { getRooms, joinRoom, getRoomUsers },
    registerRoutes: (app) => roomRoutes(app, appContext),
    onPromoted: () => appContext.execute(seedDefaultRooms, null, {}),
  }
}
