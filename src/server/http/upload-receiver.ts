import type { Context } from 'hono'
import { FILE_TOO_LARGE, MAX_FILE_BYTES } from '../../shared/media/rules.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Actor } from '../database/transact.ts'
import { Semaphore } from '../limits/semaphore.ts'
import { StallError, withStallTimeout } from '../limits/stall-timeout.ts'
import type { Body } from './body.ts'
import { type BodyBuffer, BodyBuffers } from './body-buffers.ts'
import { readMultipart } from './multipart.ts'
import type { NodeContext } from './route.ts'

/** A file, and beside it what a body without one may have. */
export const MAX_UPLOAD_BYTES = MAX_FILE_BYTES + 64 * 1024
/** All of them together are in memory with so much. */
const MAX_BUFFERED_BYTES = 6 * MAX_UPLOAD_BYTES
/** So many are opened at a time, and so many more wait for that. */
const MAX_CONCURRENT_PARSES = 4
const MAX_QUEUED_PARSES = 16
const TOO_SLOW_MESSAGE = 'Dosya çok yavaş geliyor. Bağlantınızı kontrol edip yeniden deneyin.'

type Respond = (body: Body | Refusal) => Promise<Response>

/** Whether a request brings what `takeUploads` is for. */
export function isMultipart(context: Context): boolean {
  return /^\s*multipart\/form-data\s*(?:;|$)/i.test(context.req.header('content-type') ?? '')
}

/**
 * Takes bodies with files for a route: each whole in memory until it is responded to, one of each person, and none that is
 * larger than a file may be. A place is taken once a body is there, so that whoever sends slowly holds none; and whoever sends
 * too slowly is given up. `names` are those of the files. What is refused is not read to its end.
 */
export function createUploadReceiver(names: readonly string[]) {
  const gate = new Semaphore(MAX_CONCURRENT_PARSES, MAX_QUEUED_PARSES)
  const bodies = new BodyBuffers(MAX_BUFFERED_BYTES)
  const uploading = new Set<UserId>()
  return async (context: NodeContext, actor: Actor | Refusal | null, respond: Respond): Promise<Response> => {
    if (!actor || actor instanceof Refusal) throw new Error('files are taken from people who are known')
    const announced = Number(context.req.header('content-length') ?? 0)
    if (announced > MAX_UPLOAD_BYTES) return respond(refuse('TooLarge', { message: FILE_TOO_LARGE }))
    // Or a few people with many lines would crowd out all others.
    if (uploading.has(actor.userId)) return respond(refuse('Busy'))
    uploading.add(actor.userId)
    const body = bodies.open(performance.now())
    try {
      const refusal = await receiveBody(context, bodies, body)
      if (refusal) return await respond(refusal)
      const type = context.req.header('content-type') ?? ''
      const open = async () => respond(await readMultipart(body.bytes.subarray(0, body.size), type, names))
      const response = await gate.run(open)
      return response instanceof Refusal ? await respond(response) : response
    } finally {
      bodies.release(body)
      uploading.delete(actor.userId)
    }
  }
}

/** Null once the body is whole. */
async function receiveBody({ env }: NodeContext, bodies: BodyBuffers, body: BodyBuffer): Promise<Refusal | null> {
  const patienceMs = () => body.deadlineMs - performance.now()
  try {
    // A refusal has to find the line still open.
    for await (const chunk of withStallTimeout(patienceMs, env.incoming.iterator({ destroyOnReturn: false }))) {
      if (patienceMs() < 0) throw new StallError(TOO_SLOW_MESSAGE)
      bodies.append(body, chunk, performance.now())
      if (body.isEvicted) break
      if (body.size > MAX_UPLOAD_BYTES) return refuse('TooLarge', { message: FILE_TOO_LARGE })
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
