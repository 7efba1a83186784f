import {
  TUS_VERSION,
  UPLOAD_LIFETIME_MS,
  UPLOAD_PART_TYPE,
  UPLOADS_PATH,
  uploadKinds,
} from '../../../shared/media/resumable-uploads.ts'
import type { PersonLimit } from '../../../shared/protocol/define.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import type { Upload } from '../../kernel/files/resumable-uploads.ts'
import { addressGroup, attributableAddress } from '../../kernel/http/client-address.ts'
import type { NodeApp, NodeContext } from '../../kernel/http/node-app.ts'
import { authorize, refusalResponse } from '../../kernel/http/route.ts'
import { receivedCharges } from '../../kernel/limits/daily-uploads.ts'

/** Uploads that one user begins, and those of an address. */
const UPLOAD_LIMIT: PersonLimit = { points: 100, perMs: 10 * 60_000 }
const ADDRESS_UPLOAD_LIMIT: PersonLimit = { points: 500, perMs: 10 * 60_000 }
const MAX_METADATA_LENGTH = 1024

const serverHeaders = {
  'tus-version': TUS_VERSION,
  'tus-extension': 'creation,expiration,termination',
  'tus-max-size': String(Math.max(...Object.values(uploadKinds))),
}

type Respond = (context: NodeContext, actor: Actor) => Promise<Response | Refusal> | Response | Refusal

/**
 * tus 1.0 (https://tus.io/protocols/resumable-upload) with creation, expiration and termination. Only the user who began
 * an upload finds it. Refusals are answered as by every route.
 */
export function resumableUploadRoutes(app: NodeApp, appContext: AppContext): void {
  const signedIn = (respond: Respond) => async (context: NodeContext) => {
    context.header('cache-control', 'private, no-store')
    context.header('tus-resumable', TUS_VERSION)
    if (context.req.header('tus-resumable') !== TUS_VERSION) return context.body(null, 412, serverHeaders)
    const actor = await authorize(appContext, { access: 'signedIn' }, context)
    if (!actor) throw new Error('the access signedIn has an actor')
    const result = actor instanceof Refusal ? actor : await respond(context, actor)
    return result instanceof Refusal ? refusalResponse(context, result) : result
  }
  const ofOwner = (respond: (context: NodeContext, upload: Upload) => ReturnType<Respond>) =>
    signedIn((context, actor) => {
      const upload = appContext.uploads.find(context.req.param('id') ?? '', actor.userId)
      return upload ? respond(context, upload) : refuse('NotFound')
    })
  const path = `${UPLOADS_PATH}/:id`
  app.options(UPLOADS_PATH, (context) =>
    context.body(null, 204, { 'tus-resumable': TUS_VERSION, ...serverHeaders, 'cache-control': 'private, no-store' }),
  )
  app.post(
    UPLOADS_PATH,
    signedIn((context, actor) => create(context, appContext, actor)),
  )
  // HEAD requests are routed as GET.
  app.get(
    path,
    ofOwner((context, upload) => showOffset(context, appContext, upload)),
  )
  app.patch(
    path,
    ofOwner((context, upload) => receivePart(context, appContext, upload)),
  )
  app.delete(
    path,
    ofOwner(async (context, upload) => {
      await appContext.uploads.remove(upload)
      return context.body(null, 204)
    }),
  )
}

async function create(context: NodeContext, appContext: AppContext, actor: Actor): Promise<Response | Refusal> {
  const { config, personLimiters, clock, uploads } = appContext
  const length = context.req.header('upload-length') ?? ''
  const sizeBytes = /^[1-9]\d{0,14}$/.test(length) ? Number(length) : null
  if (sizeBytes === null) return refuse('InvalidInput', { path: 'Upload-Length' })
  const maxBytes = maxBytesOf(context.req.header('upload-metadata') ?? '')
  if (maxBytes === null) return refuse('InvalidInput', { path: 'Upload-Metadata' })
  if (sizeBytes > maxBytes) return refuse('TooLarge')
  const attributable = attributableAddress(config, context.env.incoming)
  const address = attributable === null ? null : addressGroup(attributable)
  const ofAddress = address === null ? [] : [{ limit: ADDRESS_UPLOAD_LIMIT, key: address, points: 1 }]
  const { userId, sessionId } = actor
  const waitMs = personLimiters.consumeAll(
    [
      { limit: UPLOAD_LIMIT, key: userId, points: 1 },
      ...ofAddress,
      ...receivedCharges(config, { userId, address }, sizeBytes),
    ],
    clock(),
  )
  if (waitMs > 0) return refuse('RateLimited', { waitMs })
  const upload = await uploads.create({ userId, sessionId, address }, sizeBytes)
  if (upload instanceof Refusal) return upload
  return context.body(null, 201, { location: `${UPLOADS_PATH}/${upload.id}`, ...offsetHeaders(upload) })
}

/** The bound of the kind that `Upload-Metadata` names: pairs of a key and its value in Base64. `file` without one. */
function maxBytesOf(metadata: string): number | null {
  if (metadata.length > MAX_METADATA_LENGTH) return null
  const pairs = metadata.split(',').map((pair) => pair.trim().split(' '))
  const encoded = pairs.find(([key]) => key === 'kind')?.[1]
  const kind = encoded === undefined ? 'file' : Buffer.from(encoded, 'base64').toString()
  return Object.hasOwn(uploadKinds, kind) ? uploadKinds[kind as keyof typeof uploadKinds] : null // hasOwn says it
}

/** What has arrived through a connection that is gone is counted. */
async function showOffset(context: NodeContext, { uploads }: AppContext, upload: Upload): Promise<Response> {
  await uploads.settle(upload)
  return context.body(null, 200, { ...offsetHeaders(upload), 'upload-length': String(upload.sizeBytes) })
}

async function receivePart(context: NodeContext, { uploads }: AppContext, upload: Upload): Promise<Response | Refusal> {
  const { req, env } = context
  if (req.header('content-type') !== UPLOAD_PART_TYPE) return refuse('UnsupportedMediaType')
  const header = req.header('upload-offset') ?? ''
  const offset = /^\d{1,15}$/.test(header) ? Number(header) : null
  if (offset === null) return refuse('InvalidInput', { path: 'Upload-Offset' })
  if (offset + Number(req.header('content-length') ?? 0) > upload.sizeBytes) return refuse('TooLarge')
  const { incoming } = env
  // The socket stays open so that a refusal can be sent.
  const chunks = incoming.iterator({ destroyOnReturn: false })
  try {
    const refusal = await uploads.append(upload, { offset, chunks, cut: () => incoming.destroy() })
    return refusal ?? context.body(null, 204, offsetHeaders(upload))
  } catch (error) {
    if (incoming.destroyed) return refuse('InvalidInput', { path: '' }) // the sender is gone, or goes on elsewhere
    throw error
  }
}

function offsetHeaders({ offset, createdAt }: Upload): Record<string, string> {
  const expires = new Date(createdAt + UPLOAD_LIFETIME_MS).toUTCString()
  return { 'upload-offset': String(offset), 'upload-expires': expires }
}
