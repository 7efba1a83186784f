import { picturePath } from '../../../shared/media/rules.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { ADDRESS_PICTURE_LIMIT, BACKGROUND_SIDES_PX } from '../../../shared/room-management/limits.ts'
import { routes } from '../../../shared/room-management/protocol.ts'
import { BACKGROUND_MISSING_TEXT } from '../../../shared/room-management/texts.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { storePictures } from '../../kernel/http/store-pictures.ts'
import { findManagedRoom } from '../../model/rooms/access.ts'
import { changeRoomSettings } from './change-room-settings.ts'

/** `PUT` and `DELETE /rooms/{id}/background`. Who may not change it is refused before the picture is decoded. */
export function backgroundRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.setBackground, async ({ actor, input, clientId, files, context }) => {
    const room = findManagedRoom(appContext.reader, actor, input.id)
    if (room instanceof Refusal) return room
    const bytes = files.get('backgroundImage')
    if (!bytes) return refuse('InvalidInput', { message: BACKGROUND_MISSING_TEXT, path: 'backgroundImage' })
    const upload = { actor, context, bytes, sides: BACKGROUND_SIDES_PX, addressLimit: ADDRESS_PICTURE_LIMIT }
    const hashes = await storePictures(appContext, upload)
    if (hashes instanceof Refusal) return hashes
    const [hash = '', smallHash = hash] = hashes
    const background = {
      backgroundImage: picturePath(hash),
      smallBackgroundImage: picturePath(smallHash),
      backgroundImageHash: hash,
    }
    const settings = await appContext.execute(changeRoomSettings, actor, { roomId: room.id, background }, { clientId })
    if (settings instanceof Refusal) return settings
    return { success: true as const, ...background }
  })

  registerRoute(app, appContext, routes.removeBackground, async ({ actor, input, clientId }) => {
    const change = { roomId: input.id, background: null }
    const settings = await appContext.execute(changeRoomSettings, actor, change, { clientId })
    return settings instanceof Refusal ? settings : { success: true as const }
  })
}
