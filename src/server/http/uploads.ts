import type { Context } from 'hono'
import { FILE_TOO_LARGE, MOST_FILE_BYTES } from '../../shared/media/rules.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Actor } from '../database/transact.ts'
import { Gate } from '../media/gate.ts'
import { promptly, Stalled } from '../media/promptly.ts'
import type { Body } from './body.ts'
import type { NodeContext } from './mount.ts'
import { readMultipart } from './multipart.ts'

/** A file, and beside it what a body without one may have. */
export const MOST_UPLOAD_BYTES = MOST_FILE_BYTES + 64 * 1024
/** So many are in memory at a time; for so many more the line is held back. */
const AT_ONCE = 4
const WAITING = 16
/** A sender from whom nothing came for so long is given up. */
const STALL_MS = 10_000
/** And one whose body is not whole by then: a few who send a byte at a time would keep all others out. */
const WHOLE_MS = 60_000

type Respond = (body: Body | Refusal) => Promise<Response>

/** Whether a request brings what `takeUploads` is for. */
export function isMultipart(context: Context): boolean {
  return /^\s*multipart\/form-data\s*(?:;|$)/i.test(context.req.header('content-type') ?? '')
}

/**
 * Takes bodies with files for a route: each whole in memory until it is responded to, so few at a time, one of each person,
 * and none that is larger than a file may be. `names` are those of the files. What is refused is not read to its end.
 */
export function takeUploads(names: readonly string[]) {
  const gate = new Gate(AT_ONCE, WAITING)
  const uploading = new Set<number>()
  return async (context: NodeContext, actor: Actor | Refusal | null, respond: Respond): Promise<Response> => {
    if (!actor || actor instanceof Refusal) throw new Error('files are taken from people who are known')
    const announced = Number(context.req.header('content-length') ?? 0)
    if (announced > MOST_UPLOAD_BYTES) return respond(refuse('TooLarge', { message: FILE_TOO_LARGE }))
    // Or a few people with many slow lines would keep all others out.
    if (uploading.has(actor.userId)) return respond(refuse('Busy'))
    uploading.add(actor.userId)
    try {
      const response = await gate.pass(async () => respond(await read(context, names)))
      return response instanceof Refusal ? await respond(response) : response
    } finally {
      uploading.delete(actor.userId)
    }
  }
}

async function read({ env, req }: NodeContext, names: readonly string[]): Promise<Body | Refusal> {
  const chunks: Uint8Array[] = []
  let size = 0
  const begunAt = performance.now()
  try {
    // A refusal has to find the line still open.
    for await (const chunk of promptly(STALL_MS, env.incoming.iterator({ destroyOnReturn: false }))) {
      if (performance.now() - begunAt > WHOLE_MS) return refuse('InvalidInput', { path: '' })
      size += chunk.byteLength
      if (size > MOST_UPLOAD_BYTES) return refuse('TooLarge', { message: FILE_TOO_LARGE })
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Stalled || error === env.incoming.errored) return refuse('InvalidInput', { path: '' })
    throw error
  }
  return readMultipart(Buffer.concat(chunks), req.header('content-type') ?? '', names)
}
