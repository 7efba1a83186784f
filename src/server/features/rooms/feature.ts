import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { getRooms, getRoomUsers, joinRoom, watchRoomCounts } from './live-handlers.ts'
import { roomOptionRoutes } from './options/routes.ts'
import { registerRoomPages } from './pages.ts'
import { readCapacity } from './read-capacity.ts'
import { resumeRoom } from './resume-room.ts'
import { RoomList, roomList } from './room-list.ts'
import { roomRoutes } from './routes.ts'
import { seedDefaultRooms } from './seed-default-rooms.ts'

/** Rooms, joining them, and the default rooms of a new site. */
export function createFeature({ appContext }: FeatureContext): Feature {
  const { presence, reader } = appContext
  presence.limitByCapacity((roomId) => readCapacity(reader, roomId))
  return {
    services: [roomList.providedBy(new RoomList(presence))],
    handlers: { getRooms, joinRoom, getRoomUsers, watchRoomCounts },
    live: resumeRoom,
    registerRoutes(app, pages) {
      roomRoutes(app, appContext)
      roomOptionRoutes(app, appContext)
      registerRoomPages(app, appContext, pages)
    },
    onPromoted: () => appContext.execute(seedDefaultRooms, null, {}),
  }
}
