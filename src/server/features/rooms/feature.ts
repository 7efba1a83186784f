import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import type { LiveHooks } from '../../kernel/live/define-live-hooks.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { findOpenRoom, takeSeat } from '../../model/rooms/access.ts'
import { getRooms, getRoomUsers, joinRoom, watchRoomCounts } from './live-handlers.ts'
import { roomOptionRoutes } from './options/routes.ts'
import { registerRoomPages } from './pages.ts'
import { RoomList, roomList } from './room-list.ts'
import { roomRoutes } from './routes.ts'
import { seedDefaultRooms } from './seed-default-rooms.ts'

/** A client that resumes rejoins its room if it may still enter it. */
const resumeRoom: LiveHooks = {
  onHello({ context, connection, reader, actor, input }) {
    if (input.roomId === undefined) return {}
    const room = findOpenRoom(context, reader, actor, input.roomId)
    // A seat for which the primary must be asked is none here: the client then joins by itself.
    if (room instanceof Refusal || takeSeat(context, reader, actor, room) !== null) return {}
    return {
      resumedStreams: [roomStream(room.id)],
      resumedAnswer: { roomId: room.id },
      afterAnswer: (resumed) => {
        if (resumed) context.presence.enterRoom(connection, room.id, true)
      },
    }
  },
}

/** Rooms, joining them, and the default rooms of a new site. */
export function createFeature({ appContext }: FeatureContext): Feature {
  const { presence } = appContext
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
