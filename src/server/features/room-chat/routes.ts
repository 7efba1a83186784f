import { refuse } from '../../../shared/protocol/refusals.ts'
import { routes } from '../../../shared/room-chat/protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { toUserSummary, userById } from '../../model/accounts/queries.ts'
import { storeMediaUpload } from '../../model/media/media-upload.ts'
import { findContentRefusal, findMediaRefusal } from '../../model/rooms/access.ts'
import { roomById } from '../../model/rooms/queries.ts'
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
