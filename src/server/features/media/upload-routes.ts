import { contentTypeOf } from '../../../shared/media/file-types.ts'
import { isFileHash } from '../../../shared/media/rules.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { createFileStream } from '../../kernel/files/file-stream.ts'
import { authentication, maintenance } from '../../kernel/http/authentication.ts'
import { isNotModified, parseRange } from '../../kernel/http/conditional-requests.ts'
import type { NodeApp, NodeContext } from '../../kernel/http/node-app.ts'
import { refusalResponse } from '../../kernel/http/route.ts'
import { mayFetchFile } from './referenced-files.ts'

/** The content of a file name never changes. Access is checked per user, so only the browser may cache it. */
const CACHE_CONTROL = 'private, max-age=86400, immutable'

/** An answer of which the browser takes nothing for so long is ended. A paused video asks for the rest when it plays on. */
const READ_STALL_MS = 60_000

/** The response has its type in every context: no script, no other type, no other site. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'accept-ranges': 'bytes',
  'cache-control': CACHE_CONTROL,
}

/**
 * `/uploads/{file}`: files that a feature allows the viewer to fetch (referenced-files.ts). Every other one gets
 * `NotFound`, even if the file exists.
 */
export function uploadRoutes(app: NodeApp, appContext: AppContext, readStallMs = READ_STALL_MS): void {
  app.get('/uploads/:file', async (context) => {
    const viewer = (await appContext.service(authentication).authenticateRequest(context)) ?? refuse('NotSignedIn')
    if (viewer instanceof Refusal) return refusalResponse(context, viewer)
    if (appContext.service(maintenance).isClosedTo(viewer.role)) return refusalResponse(context, refuse('Maintenance'))
    const path = context.req.param('file')
    const [hash = '', extension = '', ...others] = path.split('.')
    const contentType = contentTypeOf(extension)
    const isFileName = contentType && isFileHash(hash) && others.length === 0
    if (!isFileName || !mayFetchFile(appContext, viewer, path)) {
      return refusalResponse(context, refuse('NotFound'))
    }
    const { outgoing } = context.env
    outgoing.setTimeout(readStallMs, () => outgoing.destroy())
    return serveFile(context, appContext, hash, contentType)
  })
}

async function serveFile(
  context: NodeContext,
  { files }: AppContext,
  hash: string,
  contentType: string,
): Promise<Response> {
  const { req } = context
  const etag = `"${hash}"`
  const headers = { ...HEADERS, 'content-type': contentType, etag }
  if (isNotModified(req.header('if-none-match'), etag)) return context.body(null, 304, headers)
  const file = await files.get(hash)
  // A referenced file without a local copy: no other region can send it now.
  if (!file) return refusalResponse(context, refuse('RegionCut'))
  const isRangeValid = req.method === 'GET' && (req.header('if-range') ?? etag) === etag
  const range = parseRange(isRangeValid ? req.header('range') : undefined, file.size)
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
