import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { routes } from '../../shared/room-chat/protocol.ts'
import { toUserSummary, userById } from '../accounts/queries.ts'
import type { AppContext } from '../app-context.ts'
import { storeMediaUpload } from '../http/media-upload.ts'
import { type NodeApp, registerRoute } from '../http/route.ts'
import { findEnterableRoom, findMediaRefusal } from '../rooms/access.ts'
import { addMedia } from './add-media.ts'

/** `/api/media`: files for messages of rooms. */
export function roomChatRoutes(app: NodeApp, appContext: AppContext): void {
  const { reader, execute, clock } = appContext
  registerRoute(app, appContext, routes.uploadRoomMedia, (call) => {
    const { actor, input } = call
    const room = findEnterableRoom(appContext, reader, actor, input.roomId)
    if (room instanceof Refusal) return room
    const user = reader.get(userById, { id: actor.userId })
    const message = user ? findMediaRefusal(reader, toUserSummary(user, clock()), room) : null
    if (message !== null) return refuse('RoomWriteRefused', { message })
    return storeMediaUpload(appContext, call, { add: (media) => execute(addMedia, actor, media) })
  })
}
