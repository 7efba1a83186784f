import type { Context } from 'hono'
import { FILE_TOO_LARGE, MAX_FILE_BYTES, MAX_LARGE_FILE_BYTES } from '../../../shared/media/rules.ts'
import type { RouteSpec } from '../../../shared/protocol/define.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import type { Actor } from '../database/transaction.ts'
import type { Upload } from '../files/resumable-uploads.ts'
import { receivedCharges } from '../limits/daily-uploads.ts'
import { TOO_SLOW_MESSAGE } from '../limits/minimum-rate.ts'
import { KeyedSemaphore, Semaphore } from '../limits/semaphore.ts'
import { StallError, withStallTimeout } from '../limits/stall-timeout.ts'
import type { Body } from './body.ts'
import { type BodyBuffer, BodyBuffers } from './body-buffers.ts'
import { addressGroup, attributableAddress } from './client-address.ts'
import { LargePart } from './large-part.ts'
import { boundaryOf, readMultipart } from './multipart.ts'
import type { NodeContext } from './node-app.ts'

/** The largest file, plus what a body without files may have. */
export const MAX_UPLOAD_BYTES = MAX_FILE_BYTES + 64 * 1024
/** A body has so much more for each further file field, such as the poster of a video. */
const FURTHER_FILE_BYTES = 1024 * 1024
/** A smaller form is received in memory also where a route takes a large file. */
const MIN_LARGE_FORM_BYTES = 2 * 1024 * 1024
/** Memory of all uploads of the process together. */
const bodies = new BodyBuffers(6 * MAX_UPLOAD_BYTES)
/** Four bodies are parsed and handled at a time, and sixteen may wait for it. */
const semaphore = new Semaphore(4, 16)
/** Of one address two are handled at a time and two wait: it cannot occupy all slots, or the memory of all bodies. */
const addressSemaphore = new KeyedSemaphore(2, 2)

type UploadDeps = Pick<AppContext, 'config' | 'uploads' | 'personLimiters' | 'clock' | 'disk'>
type Respond = (body: Body | Refusal) => Promise<Response>

/** Whether the request has a multipart form. */
export function isMultipart(context: Context): boolean {
  return /^\s*multipart\/form-data\s*(?:;|$)/i.test(context.req.header('content-type') ?? '')
}

/** A form that has arrived. */
interface ReceivedForm {
  parse(): Promise<Body | Refusal>
  /** Removes what it has on the disk. */
  discard(): Promise<void>
}

/** A body that arrives. */
interface Arriving {
  context: NodeContext
  actor: Actor
  body: BodyBuffer
  /** The group of the sender's address; null when it cannot be attributed. */
  address: string | null
}

type FormRoute = Pick<RouteSpec, 'fileFields' | 'largeFileField'>

/**
 * Receives bodies with files for a route: one at a time per user, each in memory until it is answered, but a large file on
 * the disk if the route takes one. Only complete bodies occupy a slot of the semaphore, so slow senders do not block others,
 * and bodies below the minimum rate are refused. A refused body is not read to its end.
 */
export function createUploadReceiver(deps: UploadDeps, route: FormRoute) {
  const { config, disk } = deps
  const uploading = new Set<UserId>()
  return async (context: NodeContext, actor: Actor | Refusal | null, respond: Respond): Promise<Response> => {
    if (!actor || actor instanceof Refusal) throw new Error('a route with file fields requires an actor')
    const noSpace = disk.refuseUpload()
    if (noSpace) return respond(noSpace)
    const receive = chooseReceiver(deps, route, context.req.header('content-length'))
    if (receive instanceof Refusal) return respond(receive)
    // Otherwise a few users with many connections could use up the memory.
    if (uploading.has(actor.userId)) return respond(refuse('Busy'))
    uploading.add(actor.userId)
    const attributable = attributableAddress(config, context.env.incoming)
    const address = attributable === null ? null : addressGroup(attributable)
    const sender = address ?? `user ${actor.userId}`
    const body = bodies.open(performance.now(), sender)
    let discard = async (): Promise<void> => {}
    try {
      const form = await receive({ context, actor, body, address })
      if (form instanceof Refusal) return await respond(form)
      discard = form.discard
      const parseAndRespond = async () => respond(await form.parse())
      const response = await addressSemaphore.run(sender, () => semaphore.run(parseAndRespond))
      return response instanceof Refusal ? await respond(response) : response
    } finally {
      bodies.release(body)
      uploading.delete(actor.userId)
      await discard()
    }
  }
}

/** How a form of this length is received; TooLarge if it is not. */
function chooseReceiver(
  deps: UploadDeps,
  { fileFields = [], largeFileField }: FormRoute,
  contentLength: string | undefined,
): ((arriving: Arriving) => Promise<ReceivedForm | Refusal>) | Refusal {
  const maxBytes = MAX_UPLOAD_BYTES + (fileFields.length - 1) * FURTHER_FILE_BYTES
  const length = Number(contentLength ?? 0)
  if (largeFileField !== undefined && (contentLength === undefined || length > MIN_LARGE_FORM_BYTES)) {
    const isTooLarge = length > maxBytes + MAX_LARGE_FILE_BYTES
    return isTooLarge
      ? refuse('TooLarge')
      : (arriving) => receiveLargeForm(deps, arriving, { fileFields, largeFileField, maxBytes })
  }
  if (length > maxBytes) return refuse('TooLarge', { message: FILE_TOO_LARGE })
  return (arriving) => receiveForm(arriving, fileFields, maxBytes)
}

/** Receives a body into its buffer. */
async function receiveForm(
  { context, body }: Arriving,
  fileFields: readonly string[],
  maxBytes: number,
): Promise<ReceivedForm | Refusal> {
  try {
    for await (const chunk of arrivingChunks(context, body)) keepBytes(body, chunk, maxBytes)
  } catch (error) {
    return toRefusal(context, body, error)
  }
  bodies.complete(body)
  if (body.isEvicted) return refuse('Busy')
  return { parse: () => parseForm(context, body, fileFields), discard: async () => {} }
}

/** Receives the large file of a body as an upload of its user, and the rest, at most `maxBytes`, into its buffer. */
async function receiveLargeForm(
  { config, uploads, personLimiters, clock }: UploadDeps,
  { context, actor: { userId, sessionId }, body, address }: Arriving,
  { fileFields, largeFileField, maxBytes }: { fileFields: readonly string[]; largeFileField: string; maxBytes: number },
): Promise<ReceivedForm | Refusal> {
  const boundary = boundaryOf(context.req.header('content-type') ?? '')
  if (boundary === null) return refuse('InvalidInput', { path: '' })
  const length = Number(context.req.header('content-length') ?? MAX_LARGE_FILE_BYTES)
  const sizeBytes = Math.min(length, MAX_LARGE_FILE_BYTES)
  const waitMs = personLimiters.consumeAll(receivedCharges(config, { userId, address }, sizeBytes), clock())
  if (waitMs > 0) return refuse('RateLimited', { waitMs })
  const upload = await uploads.create({ userId, sessionId, address }, sizeBytes)
  if (upload instanceof Refusal) return upload
  const part = new LargePart(boundary, largeFileField, (bytes) => keepBytes(body, bytes, maxBytes))
  const chunks = countContent(body, part.contentOf(arrivingChunks(context, body)))
  const cut = () => context.env.incoming.destroy()
  const refusal = await uploads
    .append(upload, { offset: 0, chunks, cut, isTimed: true })
    .catch((error) => toRefusal(context, body, error))
  const discard = () => uploads.remove(upload)
  if (refusal) await discard()
  if (refusal) return refusal
  bodies.complete(body)
  if (body.isEvicted) await discard()
  if (body.isEvicted) return refuse('Busy')
  uploads.finish(upload)
  const parse = async () => {
    const parsed = await parseForm(context, body, fileFields)
    return parsed instanceof Refusal ? parsed : nameUpload(parsed, largeFileField, part.token, upload)
  }
  return { parse, discard }
}

/** The form with the id of its upload in place of the token. */
function nameUpload(form: Body, field: string, token: string, { id, sizeBytes }: Upload): Body | Refusal {
  const { [field]: file, ...files } = Object.fromEntries(form.files)
  if (!file) return form
  if (Buffer.from(file).toString() !== token) return refuse('InvalidInput', { path: field })
  const { uploadId: _, ...fields } = form.fields
  return {
    ...form,
    fields: sizeBytes > 0 ? { ...fields, uploadId: id } : fields,
    files: new Map(Object.entries(files)),
  }
}

function parseForm(context: NodeContext, body: BodyBuffer, fileFields: readonly string[]): Promise<Body | Refusal> {
  const type = context.req.header('content-type') ?? ''
  return readMultipart(body.bytes.subarray(0, body.size), type, fileFields)
}

/** The chunks of a body, unless it is too slow. */
async function* arrivingChunks({ env }: NodeContext, body: BodyBuffer): AsyncGenerator<Uint8Array> {
  const remainingMs = () => body.deadlineMs - performance.now()
  // The socket stays open so that a refusal can be sent.
  for await (const chunk of withStallTimeout(remainingMs, env.incoming.iterator({ destroyOnReturn: false }))) {
    if (remainingMs() < 0) throw new StallError(TOO_SLOW_MESSAGE)
    yield chunk
  }
}

/** Bytes that go to the disk count as those in the buffer do. */
async function* countContent(body: BodyBuffer, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of content) {
    bodies.countReceived(body, bytes.byteLength, performance.now())
    yield bytes
  }
}

/** The rest of a body is not read. */
class UnwantedBody extends Error {}

function keepBytes(body: BodyBuffer, bytes: Uint8Array, maxBytes: number): void {
  bodies.append(body, bytes, performance.now())
  if (body.isEvicted || body.size > maxBytes) throw new UnwantedBody()
}

function toRefusal({ env }: NodeContext, body: BodyBuffer, error: unknown): Refusal {
  if (body.isEvicted) return refuse('Busy')
  if (error instanceof UnwantedBody) return refuse('TooLarge', { message: FILE_TOO_LARGE })
  if (error instanceof StallError) return refuse('InvalidInput', { message: TOO_SLOW_MESSAGE, path: '' })
  if (error === env.incoming.errored) return refuse('InvalidInput', { path: '' })
  throw error
}
