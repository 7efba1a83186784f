import { refuse } from '../../shared/protocol/refusals.ts'
import { routes } from '../../shared/room-chat/protocol.ts'
import { toUserSummary, userById } from '../accounts/queries.ts'
import type { AppContext } from '../app-context.ts'
import { storeMediaUpload } from '../http/media-upload.ts'
import { type NodeApp, registerRoute } from '../http/route.ts'
import { findContentRefusal, findMediaRefusal } from '../rooms/access.ts'
import { roomById } from '../rooms/queries.ts'
import { addMedia } from './add-media.ts'

/** `/api/media`: files for messages of rooms. */
export function roomChatRoutes(app: NodeApp, appContext: AppContext): void {
  const { reader, execute, clock } = appContext
  registerRoute(app, appContext, routes.uploadRoomMedia, (call) => {
    const { actor, input } = call
    const closure = findContentRefusal(appContext, reader, actor, input.roomId)
    if (closure) return closure
    const room = reader.get(roomById, { id: input.roomId })
    const user = reader.get(userById, { id: actor.userId })
    const message = user && room ? findMediaRefusal(reader, toUserSummary(user, clock()), room) : null
    if (message !== null) return refuse('RoomWriteRefused', { message })
    return storeMediaUpload(appContext, call, { add: (media) => execute(addMedia, actor, media) })
  })
}
