import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import { createRateLimiter } from '../limits/rate-limiter.ts'
import { addressGroup, clientAddress } from './client-address.ts'
import { MAX_BODY_BYTES, refusalResponse } from './route.ts'

/** Per address: 300 at once, then 60 a second, because a household or company may share one. */
const REQUEST_RATE = { points: 300, perMs: 5_000 }
/** Each further 4 KiB of a parsed body costs another point: 64 KiB of small fields take 10 ms to parse. */
const BYTES_PER_POINT = 4096
/** Bodies that are parsed as a whole. Uploads have limits of their own. */
const parsedTypes = /^\s*application\/(?:json|x-www-form-urlencoded)/i

/** Limits requests per address before anything is read or rendered: one pipelined packet can hold 2,400 requests. */
export function requestLimit({ config, clock }: Pick<AppContext, 'config' | 'clock'>): MiddlewareHandler<{
  Bindings: HttpBindings
}> {
  const requests = createRateLimiter({ ...REQUEST_RATE, points: REQUEST_RATE.points * config.limitScale })
  return async (context, next) => {
    const { incoming } = context.env
    const waitMs = requests.consume(addressGroup(clientAddress(config, incoming)), clock(), pointsOf(incoming))
    return waitMs > 0 ? refusalResponse(context, refuse('RateLimited', { waitMs })) : next()
  }
}

/** A body of unknown length counts as the largest one, and a longer one is refused unread. */
function pointsOf({ headers }: IncomingMessage): number {
  if (!parsedTypes.test(headers['content-type'] ?? '')) return 1
  const bytes = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : MAX_BODY_BYTES
  return 1 + Math.floor(Math.min(bytes, MAX_BODY_BYTES) / BYTES_PER_POINT)
}
