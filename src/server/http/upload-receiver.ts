import type { Context } from 'hono'
import { FILE_TOO_LARGE, MAX_FILE_BYTES } from '../../shared/media/rules.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Actor } from '../database/transact.ts'
import { KeyedSemaphore, Semaphore } from '../limits/semaphore.ts'
import { StallError, withStallTimeout } from '../limits/stall-timeout.ts'
import type { Settings } from '../settings.ts'
import type { Body } from './body.ts'
import { type BodyBuffer, BodyBuffers } from './body-buffers.ts'
import { addressGroup, attributableAddress } from './client-address.ts'
import { readMultipart } from './multipart.ts'
import type { NodeContext } from './route.ts'

/** The largest file, plus what a body without files may have. */
export const MAX_UPLOAD_BYTES = MAX_FILE_BYTES + 64 * 1024
/** A body has so much more for each further file field, such as the poster of a video. */
const FURTHER_FILE_BYTES = 1024 * 1024
/** Memory of all uploads of the process together. */
const bodies = new BodyBuffers(6 * MAX_UPLOAD_BYTES)
/** Four bodies are parsed and handled at a time, and sixteen may wait for it. */
const semaphore = new Semaphore(4, 16)
/** Of one address two are handled at a time and two wait: it cannot occupy all slots, or the memory of all bodies. */
const addressSemaphore = new KeyedSemaphore(2, 2)
/** Message for a body below the minimum rate. */
export const TOO_SLOW_MESSAGE = 'Dosya çok yavaş geliyor. Bağlantınızı kontrol edip yeniden deneyin.'

type Respond = (body: Body | Refusal) => Promise<Response>

/** Whether the request has a multipart form. */
export function isMultipart(context: Context): boolean {
  return /^\s*multipart\/form-data\s*(?:;|$)/i.test(context.req.header('content-type') ?? '')
}

/**
 * Receives bodies with files for a route: one at a time per user, each in memory until it is answered. Only complete
 * bodies occupy a slot of the semaphore, so slow senders do not block others, and bodies below the minimum rate are
 * refused. A refused body is not read to its end.
 * @param fileNames names of the file fields
 */
export function createUploadReceiver(settings: Settings, fileNames: readonly string[]) {
  const maxBytes = MAX_UPLOAD_BYTES + (fileNames.length - 1) * FURTHER_FILE_BYTES
  const uploading = new Set<UserId>()
  return async (context: NodeContext, actor: Actor | Refusal | null, respond: Respond): Promise<Response> => {
    if (!actor || actor instanceof Refusal) throw new Error('a route with file fields requires an actor')
    const contentLength = Number(context.req.header('content-length') ?? 0)
    if (contentLength > maxBytes) return respond(refuse('TooLarge', { message: FILE_TOO_LARGE }))
    // Otherwise a few users with many connections could use up the memory.
    if (uploading.has(actor.userId)) return respond(refuse('Busy'))
    uploading.add(actor.userId)
    const address = attributableAddress(settings, context.env.incoming)
    const sender = address === null ? `user ${actor.userId}` : addressGroup(address)
    const body = bodies.open(performance.now(), sender)
    try {
      const refusal = await receiveBody(context, body, maxBytes)
      if (refusal) return await respond(refusal)
      const type = context.req.header('content-type') ?? ''
      const parseAndRespond = async () =>
        respond(await readMultipart(body.bytes.subarray(0, body.size), type, fileNames))
      const response = await addressSemaphore.run(sender, () => semaphore.run(parseAndRespond))
      return response instanceof Refusal ? await respond(response) : response
    } finally {
      bodies.release(body)
      uploading.delete(actor.userId)
    }
  }
}

/** Receives a body into its buffer; null when it is complete. */
async function receiveBody({ env }: NodeContext, body: BodyBuffer, maxBytes: number): Promise<Refusal | null> {
  const remainingMs = () => body.deadlineMs - performance.now()
  try {
    // The socket stays open so that a refusal can be sent.
    for await (const chunk of withStallTimeout(remainingMs, env.incoming.iterator({ destroyOnReturn: false }))) {
      if (remainingMs() < 0) throw new StallError(TOO_SLOW_MESSAGE)
      bodies.append(body, chunk, performance.now())
      if (body.isEvicted) break
      if (body.size > maxBytes) return refuse('TooLarge', { message: FILE_TOO_LARGE })
    }
  } catch (error) {
    if (body.isEvicted) return refuse('Busy')
    if (error instanceof StallError) return refuse('InvalidInput', { message: TOO_SLOW_MESSAGE, path: '' })
    if (error === env.incoming.errored) return refuse('InvalidInput', { path: '' })
    throw error
  }
  bodies.complete(body)
  return body.isEvicted ? refuse('Busy') : null
}
