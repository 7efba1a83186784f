import type { AppContext } from '../../kernel/app-context.ts'
import { roomStream } from '../../kernel/presence/streams.ts'

/** Takes this region's connections out of a room that was deactivated, once they have the event. */
export function emptyDeactivatedRooms({ publisher, presence }: AppContext): void {
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
