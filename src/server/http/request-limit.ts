import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { refuse } from '../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import { createRateLimiter } from '../limits/rate-limiter.ts'
import { addressGroup, clientAddress } from './client-address.ts'
import { refusalResponse } from './route.ts'

/** Requests of one address at once, and how long they take to come back: 60 a second for whole households and networks. */
const REQUEST_RATE = { points: 300, perMs: 5_000 }

/** Bounds what one address may ask before anything is read or rendered: one pipelined packet can hold 2,400 requests. */
export function requestLimit({ settings, clock }: AppContext): MiddlewareHandler<{ Bindings: HttpBindings }> {
  const requests = createRateLimiter({ ...REQUEST_RATE, points: REQUEST_RATE.points * settings.limitScale })
  return async (context, next) => {
    const address = clientAddress(settings, context.env.incoming)
    const waitMs = requests.consume(addressGroup(address), clock())
    return waitMs > 0 ? refusalResponse(context, refuse('RateLimited', { waitMs })) : next()
  }
}
