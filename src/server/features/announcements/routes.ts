import { POPUP_PICTURE_SIDES_PX } from '../../../shared/announcements/limits.ts'
import { allowedPopupAttributes, allowedPopupTags } from '../../../shared/announcements/popup-html.ts'
import { routes as roomRoutes } from '../../../shared/announcements/protocol.ts'
import { picturePath } from '../../../shared/media/rules.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { ADDRESS_PICTURE_LIMIT } from '../../../shared/room-management/limits.ts'
import { EMPTY_POPUP_TEXT, routes } from '../../../shared/site-status/protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { type PictureUpload, storePictures } from '../../kernel/http/store-pictures.ts'
import { findManagedRoom } from '../../model/rooms/access.ts'
import { sendPopup } from './send-popup.ts'
import { sendRoomPopup } from './send-room-popup.ts'

/** `/api/root-admin/send-popup`, for root admins, and `/api/rooms/send-popup`, for the staff of the room. */
export function announcementRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.sendPopup, async ({ input, actor, clientId }) => {
    const message = await sanitizePopupHtml(input.message)
    if (message === '' && input.imagePath === undefined) return refuse('InvalidInput', { message: EMPTY_POPUP_TEXT })
    const { imagePath = null, roomId = null } = input
    const sent = await appContext.execute(sendPopup, actor, { message, imagePath, roomId }, { clientId })
    return sent instanceof Refusal ? sent : { success: true as const }
  })
  registerRoute(app, appContext, roomRoutes.sendRoomPopup, async ({ input, actor, clientId, files, context }) => {
    const room = findManagedRoom(appContext.reader, actor, input.roomId)
    if (room instanceof Refusal) return room
    const message = await sanitizePopupHtml(input.message)
    const bytes = files.get('image')
    if (message === '' && !bytes) return refuse('InvalidInput', { message: EMPTY_POPUP_TEXT, path: 'message' })
    const picture = bytes ? await storePicture(appContext, { actor, context, bytes }) : null
    if (picture instanceof Refusal) return picture
    return appContext.execute(sendRoomPopup, actor, { roomId: room.id, message, picture }, { clientId })
  })
}

/** Resolves with the name of the picture below `/uploads/`. */
async function storePicture(
  appContext: AppContext,
  upload: Pick<PictureUpload, 'actor' | 'context' | 'bytes'>,
): Promise<string | Refusal> {
  const sizes = { sides: POPUP_PICTURE_SIDES_PX, addressLimit: ADDRESS_PICTURE_LIMIT }
  const hashes = await storePictures(appContext, { ...upload, ...sizes })
  return hashes instanceof Refusal ? hashes : picturePath(hashes[0] ?? '')
}

/** Keeps only tags and attributes that cannot run code, load resources or cover the page. The sanitiser is loaded on first use. */
async function sanitizePopupHtml(html: string): Promise<string> {
  const { default: sanitize } = await import('sanitize-html')
  const options = {
    allowedTags: [...allowedPopupTags],
    allowedAttributes: { a: [...allowedPopupAttributes] },
    allowedSchemes: ['http', 'https'],
    allowProtocolRelative: false,
  }
  return sanitize(html, options).trim()
}
