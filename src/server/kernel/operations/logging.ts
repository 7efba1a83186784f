import { createHmac, randomBytes } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import pino, { type DestinationStream, type Logger } from 'pino'
import type { Config } from '../config.ts'

/** A request that takes longer than this is worth an operator's look. */
const SLOW_REQUEST_MS = 1_000

/**
 * Fields that identify a user or contain messages. The code logs ids and codes only; this is a second protection,
 * in case a whole object is logged.
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
export function createLog(config: Pick<Config, 'logLevel'>, destination?: DestinationStream): Logger {
  const options = {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: personalFields.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
  }
  return destination ? pino(options, destination) : pino(options)
}

const addressKey = randomBytes(32)

/**
 * A pseudonym of an address, stable while the process runs, so that log lines of one address can be related. The key is
 * never stored, so the address cannot be recovered later, not even by trying all of them.
 */
export function addressPseudonym(address: string): string {
  return createHmac('sha256', addressKey).update(address).digest('base64url').slice(0, 12)
}

/**
 * Sets `X-Request-Id` and logs each request. It logs the route's pattern and not the path, which may contain a username.
 * Failures are logged as errors, slow requests as warnings, the rest as `debug`.
 */
export function requestLog(log: Logger): MiddlewareHandler {
  return async (context, next) => {
    const requestId = randomBytes(9).toString('base64url')
    const started = performance.now()
    await next()
    // Set on the response itself, because context.header() makes Hono rebuild the response.
    context.res.headers.set('X-Request-Id', requestId)
    const ms = Math.round(performance.now() - started)
    const { status } = context.res
    const fields = { requestId, method: context.req.method, route: routePath(context, -1), status, ms }
    // 503 (not ready, busy, region cut off) is expected and counted by the metrics; other failures need attention.
    if (status >= 500 && status !== 503) log.error({ ...fields, err: context.error }, 'request failed')
    else if (ms > SLOW_REQUEST_MS) log.warn(fields, 'request was slow')
    else log.debug(fields, 'request')
  }
}
