import type { AppContext } from '../../kernel/app-context.ts'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { runInSteps, SECOND_MS } from '../../kernel/operations/jobs.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { expireRooms, hasRoomToExpire } from './expire-rooms.ts'
import { roomOrderRoutes } from './routes.ts'

/** Rooms that members order, renew and let expire. */
export function createFeature({ appContext }: FeatureContext): Feature {
  const { execute, reader, clock } = appContext
  emptyDeactivatedRooms(appContext)
  return {
    registerRoutes: (app) => roomOrderRoutes(app, appContext),
    jobs: [
      {
        intervalMs: SECOND_MS,
        isPrimaryOnly: true,
        run: () => hasRoomToExpire(reader, clock()) && runInSteps(execute, expireRooms),
      },
    ],
  }
}

/** Takes this region's connections out of a room that was deactivated, once they have the event. */
function emptyDeactivatedRooms({ publisher, presence }: AppContext): void {
  publisher.on('roomDeactivated', ({ payload: { roomId } }) => {
    // Listeners are called before the delivery, which is in the same turn.
    queueMicrotask(() => {
      const stream = roomStream(roomId)
      for (const connection of [...publisher.subscribers(stream)]) {
        publisher.unsubscribe(connection, stream)
        presence.leaveRoom(connection, 'left')
      }
    })
  })
}
