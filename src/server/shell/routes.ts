import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { popupAttributes, popupTags } from '../../shared/shell/popup-html.ts'
import { routes } from '../../shared/shell/protocol.ts'
import { mount, type NodeApp } from '../http/mount.ts'
import type { World } from '../world.ts'

/** `/api/rooms/send-popup`. */
export function shellRoutes(app: NodeApp, world: World): void {
  mount(app, world, routes.sendPopup, async ({ input, actor }) => {
    const message = await cleanHtml(input.message)
    if (message === '' && input.imagePath === undefined)
      return refuse('InvalidInput', { message: 'Duyuru boş olamaz.' })
    const { imagePath = null, roomId = null } = input
    const sent = await world.execute('sendPopup', actor, { message, imagePath, roomId })
    return sent instanceof Refusal ? sent : { success: true as const }
  })
}

/** HTML without whatever could run, load or cover anything. Loaded when the first popup is sent: hardly any site sends one. */
async function cleanHtml(html: string): Promise<string> {
  const { default: sanitize } = await import('sanitize-html')
  const options = {
    allowedTags: [...popupTags],
    allowedAttributes: { a: [...popupAttributes] },
    allowedSchemes: ['http', 'https'],
    allowProtocolRelative: false,
  }
  return sanitize(html, options).trim()
}
