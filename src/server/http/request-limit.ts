import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { refuse } from '../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import { createRateLimiter } from '../limits/rate-limiter.ts'
import { addressGroup, clientAddress } from './client-address.ts'
import { refusalResponse } from './route.ts'

/** Per address: 300 at once, then 60 a second, because a household or company may share one. */
const REQUEST_RATE = { points: 300, perMs: 5_000 }

/** Limits requests per address before anything is read or rendered: one pipelined packet can hold 2,400 requests. */
export function requestLimit({ settings, clock }: AppContext): MiddlewareHandler<{ Bindings: HttpBindings }> {
  const requests = createRateLimiter({ ...REQUEST_RATE, points: REQUEST_RATE.points * settings.limitScale })
  return async (context, next) => {
    const address = clientAddress(settings, context.env.incoming)
    const waitMs = requests.consume(addressGroup(address), clock())
    return waitMs > 0 ? refusalResponse(context, refuse('RateLimited', { waitMs })) : next()
  }
}
