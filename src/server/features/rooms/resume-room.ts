import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { LiveHooks } from '../../kernel/live/define-live-hooks.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { findOpenRoom, takeSeat } from '../../model/rooms/access.ts'

/** A client that resumes rejoins its room if it may still enter it. */
export const resumeRoom: LiveHooks = {
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
