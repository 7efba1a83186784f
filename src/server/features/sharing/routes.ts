import * as v from 'valibot'
import { idText } from '../../../shared/protocol/define.ts'
import { RoomId } from '../../../shared/protocol/ids.ts'
import { refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { maintenance } from '../../kernel/http/authentication.ts'
import { addressGroup, clientAddress } from '../../kernel/http/client-address.ts'
import { isNotModified } from '../../kernel/http/conditional-requests.ts'
import type { NodeApp, NodeContext } from '../../kernel/http/node-app.ts'
import { refusalResponse } from '../../kernel/http/route.ts'
import { siteOrigin } from '../../kernel/http/site-origin.ts'
import { createRateLimiter } from '../../kernel/limits/rate-limiter.ts'
import { escapeHtml } from '../../kernel/render/escape-html.ts'
import { roomById } from '../../model/rooms/queries.ts'
import { roomsForSitemap } from '../../model/sharing/queries.ts'
import { CARD_MAX_AGE_MS, RoomCards } from './room-cards.ts'

/** Pictures that one address has drawn for it; kept ones cost nothing. */
const DRAWINGS_PER_ADDRESS = { points: 30, perMs: 60_000 }
const SITEMAP_MAX_AGE_MS = 60_000
const CACHE_HOUR = 'public, max-age=3600'
const SITE_CARD_PATH = '/card.jpg'

/** `/robots.txt`, `/sitemap.xml` and `/room/{id}/card.jpg`. */
export function sharingRoutes(app: NodeApp, appContext: AppContext): void {
  const fetchCard = serveRoomCard(appContext)
  const fetchSitemap = serveSitemap(appContext)
  const routes = {
    '/robots.txt': (context: NodeContext) => serveRobots(appContext, context),
    '/sitemap.xml': fetchSitemap,
    '/room/:id/card.jpg': fetchCard,
  }
  for (const [path, serve] of Object.entries(routes)) {
    app.get(path, serve)
    app.all(path, (context) => {
      context.header('allow', 'GET, HEAD')
      return refusalResponse(context, refuse('MethodNotAllowed'))
    })
  }
}

/** Programs may read what strangers may: the landing page and the rooms' front pages. */
function serveRobots({ config }: AppContext, context: NodeContext): Response {
  const origin = siteOrigin(config, context.env.incoming)
  const lines = ['User-agent: *', 'Disallow: /api/', 'Disallow: /uploads/', 'Disallow: /live', 'Disallow: /_app']
  if (origin !== null) lines.push('', `Sitemap: ${origin}/sitemap.xml`)
  context.header('cache-control', CACHE_HOUR)
  return context.text(`${lines.join('\n')}\n`)
}

function serveSitemap({ config, reader, monotonicNow }: AppContext): (context: NodeContext) => Response {
  let kept: { paths: string[]; readAt: number } | null = null
  return (context) => {
    const origin = siteOrigin(config, context.env.incoming)
    if (origin === null) return refusalResponse(context, refuse('NotFound'))
    const now = monotonicNow()
    if (kept === null || now - kept.readAt >= SITEMAP_MAX_AGE_MS)
      kept = { paths: ['/', ...reader.all(roomsForSitemap).map(({ id }) => `/room/${id}`)], readAt: now }
    // A browser's host may have `&` and quotes.
    const urls = kept.paths.map((path) => `<url><loc>${escapeHtml(origin + path)}</loc></url>`)
    context.header('cache-control', CACHE_HOUR)
    context.header('content-type', 'application/xml; charset=UTF-8')
    return context.body(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`,
    )
  }
}

/** The picture of an active room; of the site where it cannot be drawn now. */
function serveRoomCard(appContext: AppContext): (context: NodeContext) => Promise<Response> {
  const { config, reader, presence, service, monotonicNow } = appContext
  const cards = new RoomCards(appContext.pictures, monotonicNow)
  const drawings = createRateLimiter({
    ...DRAWINGS_PER_ADDRESS,
    points: DRAWINGS_PER_ADDRESS.points * config.limitScale,
  })
  return async (context) => {
    if (service(maintenance).isClosedTo(null)) return refusalResponse(context, refuse('Maintenance'))
    const id = v.safeParse(idText(RoomId), context.req.param('id'))
    const room = id.success ? reader.get(roomById, { id: id.output }) : undefined
    if (room?.isActive !== 1) return refusalResponse(context, refuse('RoomNotFound'))
    const address = addressGroup(clientAddress(config, context.env.incoming))
    const content = { roomId: room.id, name: room.name, people: presence.roomCount(room.id, null) }
    const card = await cards.get(content, () => drawings.consume(address, monotonicNow()) === 0)
    if (card === null) {
      context.header('cache-control', 'no-store')
      return context.redirect(SITE_CARD_PATH)
    }
    context.header('cache-control', `public, max-age=${CARD_MAX_AGE_MS / 1_000}`)
    context.header('etag', card.etag)
    // Other sites show it in their previews.
    context.header('cross-origin-resource-policy', 'cross-origin')
    if (isNotModified(context.req.header('if-none-match'), card.etag)) return context.body(null, 304)
    context.header('content-type', 'image/jpeg')
    context.header('content-length', String(card.picture.length))
    return context.body(new Uint8Array(card.picture))
  }
}
