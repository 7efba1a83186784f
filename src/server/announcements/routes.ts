import { allowedPopupAttributes, allowedPopupTags } from '../../shared/announcements/popup-html.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { EMPTY_POPUP_TEXT, routes } from '../../shared/site-status/protocol.ts'
import type { AppContext } from '../app-context.ts'
import { type NodeApp, registerRoute } from '../http/route.ts'
import { sendPopup } from './send-popup.ts'

/** `/api/rooms/send-popup`, for root admins. */
export function announcementRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.sendPopup, async ({ input, actor, clientId }) => {
    const message = await sanitizePopupHtml(input.message)
    if (message === '' && input.imagePath === undefined) return refuse('InvalidInput', { message: EMPTY_POPUP_TEXT })
    const { imagePath = null, roomId = null } = input
    const sent = await appContext.execute(sendPopup, actor, { message, imagePath, roomId }, { clientId })
    return sent instanceof Refusal ? sent : { success: true as const }
  })
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
