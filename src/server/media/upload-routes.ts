import { picturePath } from '../../shared/media/rules.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import type { Actor } from '../database/transact.ts'
import { isNotModified, parseRange } from '../http/conditional-requests.ts'
import { type NodeApp, type NodeContext, refusalResponse } from '../http/route.ts'
import { isInMaintenanceFor } from '../moderation/access.ts'
import { createFileStream } from './file-stream.ts'
import { mayFetchFile } from './referenced-files.ts'

/** A file never changes under its name; only the browser of whoever may see it keeps it, and for a day. */
const CACHE_CONTROL = 'private, max-age=86400, immutable'

/** What was made of an upload is a picture and nothing else, wherever it is opened. */
const HEADERS = {
  'content-type': 'image/webp',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'accept-ranges': 'bytes',
  'cache-control': CACHE_CONTROL,
}

/**
 * `/uploads/{file}`: pictures that a feature lets this person fetch (referenced-files.ts). Every other one is answered with
 * `NotFound`, also when the disk has it. `authenticateViewer` answers null for somebody who is not signed in.
 */
export function uploadRoutes(
  app: NodeApp,
  world: AppContext,
  authenticateViewer: (context: NodeContext) => Promise<Actor | Refusal | null>,
): void {
  app.get('/uploads/:file', async (context) => {
    const viewer = (await authenticateViewer(context)) ?? refuse('NotSignedIn')
    if (viewer instanceof Refusal) return refusalResponse(context, viewer)
    if (isInMaintenanceFor(world, viewer.role)) return refusalResponse(context, refuse('Maintenance'))
    const [hash = ''] = context.req.param('file').split('.')
    const path = picturePath(hash)
    if (context.req.param('file') !== path || !mayFetchFile(world.reader, viewer, path)) {
      return refusalResponse(context, refuse('NotFound'))
    }
    return servePicture(context, world, hash)
  })
}

async function servePicture(context: NodeContext, { files }: AppContext, hash: string): Promise<Response> {
  const { req } = context
  const etag = `"${hash}"`
  const headers = { ...HEADERS, etag }
  if (isNotModified(req.header('if-none-match'), etag)) return context.body(null, 304, headers)
  const file = await files.get(hash)
  // It has a row: another region has it, and cannot give it now.
  if (!file) return refusalResponse(context, refuse('RegionCut'))
  const isAsked = req.method === 'GET' && (req.header('if-range') ?? etag) === etag
  const range = parseRange(isAsked ? req.header('range') : undefined, file.size)
  if (range === 'unsatisfiable') {
    return context.body(null, 416, { ...headers, 'cache-control': 'no-store', 'content-range': `bytes */${file.size}` })
  }
  const { start, end } = range === 'whole' ? { start: 0, end: file.size - 1 } : range
  const length = { 'content-length': String(end - start + 1) }
  const body = req.method === 'HEAD' ? null : createFileStream(file, { start, end })
  if (range === 'whole') return new Response(body, { headers: { ...headers, ...length } })
  const part = { 'content-range': `bytes ${start}-${end}/${file.size}` }
  return new Response(body, { status: 206, headers: { ...headers, ...length, ...part } })
}
