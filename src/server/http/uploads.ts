import type { Context } from 'hono'
import { FILE_TOO_LARGE, MOST_FILE_BYTES } from '../../shared/media/rules.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Actor } from '../database/transact.ts'
import { Gate } from '../media/gate.ts'
import { promptly, Stalled } from '../media/promptly.ts'
import type { Body } from './body.ts'
import { IncomingBodies, type IncomingBody } from './incoming-bodies.ts'
import type { NodeContext } from './mount.ts'
import { readMultipart } from './multipart.ts'

/** A file, and beside it what a body without one may have. */
export const MOST_UPLOAD_BYTES = MOST_FILE_BYTES + 64 * 1024
/** All of them together are in memory with so much. */
const MOST_HELD_BYTES = 6 * MOST_UPLOAD_BYTES
/** So many are opened at a time, and so many more wait for that. */
const AT_ONCE = 4
const WAITING = 16
const TOO_SLOW = 'Dosya çok yavaş geliyor. Bağlantınızı kontrol edip yeniden deneyin.'

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
export function takeUploads(names: readonly string[]) {
  const gate = new Gate(AT_ONCE, WAITING)
  const bodies = new IncomingBodies(MOST_HELD_BYTES)
  const uploading = new Set<number>()
  return async (context: NodeContext, actor: Actor | Refusal | null, respond: Respond): Promise<Response> => {
    if (!actor || actor instanceof Refusal) throw new Error('files are taken from people who are known')
    const announced = Number(context.req.header('content-length') ?? 0)
    if (announced > MOST_UPLOAD_BYTES) return respond(refuse('TooLarge', { message: FILE_TOO_LARGE }))
    // Or a few people with many lines would crowd out all others.
    if (uploading.has(actor.userId)) return respond(refuse('Busy'))
    uploading.add(actor.userId)
    const body = bodies.begin(performance.now())
    try {
      const refusal = await take(context, bodies, body)
      if (refusal) return await respond(refusal)
      const type = context.req.header('content-type') ?? ''
      const open = async () => respond(await readMultipart(body.bytes.subarray(0, body.size), type, names))
      const response = await gate.pass(open)
      return response instanceof Refusal ? await respond(response) : response
    } finally {
      bodies.end(body)
      uploading.delete(actor.userId)
    }
  }
}

/** Null once the body is whole. */
async function take({ env }: NodeContext, bodies: IncomingBodies, body: IncomingBody): Promise<Refusal | null> {
  const patienceMs = () => body.dueAt - performance.now()
  try {
    // A refusal has to find the line still open.
    for await (const chunk of promptly(patienceMs, env.incoming.iterator({ destroyOnReturn: false }))) {
      if (patienceMs() < 0) throw new Stalled(TOO_SLOW)
      bodies.add(body, chunk, performance.now())
      if (body.isCrowdedOut) break
      if (body.size > MOST_UPLOAD_BYTES) return refuse('TooLarge', { message: FILE_TOO_LARGE })
    }
  } catch (error) {
    if (body.isCrowdedOut) return refuse('Busy')
    if (error instanceof Stalled) return refuse('InvalidInput', { message: TOO_SLOW, path: '' })
    if (error === env.incoming.errored) return refuse('InvalidInput', { path: '' })
    throw error
  }
  bodies.arrived(body)
  return body.isCrowdedOut ? refuse('Busy') : null
}
