import { createHmac, randomBytes } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import pino, { type DestinationStream, type Logger } from 'pino'
import type { Settings } from '../settings.ts'

/** A request that takes longer than this is worth an operator's look. */
const SLOW_REQUEST_MS = 1_000

/**
 * Fields that would tell who somebody is or what they said. The code logs ids and codes only; this is the second lock,
 * for the day when somebody logs a whole object.
 */
const personalFields = [
  'username',
  'content',
  'person',
  'user',
  'password',
  'token',
  'adminToken',
  'browserId',
  'cookie',
  'authorization',
  'address',
  'ip',
  'url',
]

/** Structured lines on standard output, one JSON object each. Ids and codes, never names, texts or addresses. */
export function createLog(settings: Pick<Settings, 'logLevel'>, destination?: DestinationStream): Logger {
  const options = {
    level: settings.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: personalFields.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
  }
  return destination ? pino(options, destination) : pino(options)
}

const addressKey = randomBytes(32)

/**
 * A stand-in for an address, the same for the same address while this process lives, so that lines can be brought
 * together. Its key is never kept: nobody can find the address from it later, not even by trying all of them.
 */
export function addressPseudonym(address: string): string {
  return createHmac('sha256', addressKey).update(address).digest('base64url').slice(0, 12)
}

/**
 * Gives each request an id, which its answer carries as `X-Request-Id`, and logs how it went. The route's pattern
 * stands for its address, because a path may carry a name. Failures are errors, slow ones warnings, the rest `debug`.
 */
export function requestLog(log: Logger): MiddlewareHandler {
  return async (context, next) => {
    const requestId = randomBytes(9).toString('base64url')
    const started = performance.now()
    await next()
    // Set on the answer itself: by way of the context, Hono would make the answer anew.
    context.res.headers.set('X-Request-Id', requestId)
    const ms = Math.round(performance.now() - started)
    const { status } = context.res
    const line = { requestId, method: context.req.method, route: routePath(context, -1), status, ms }
    // Not being ready, busy or cut off is an answer, which metrics count; only a failure is for a human to look at.
    if (status >= 500 && status !== 503) log.error({ ...line, err: context.error }, 'request failed')
    else if (ms > SLOW_REQUEST_MS) log.warn(line, 'request was slow')
    else log.debug(line, 'request')
  }
}
