import { STATUS_CODES } from 'node:http'
import { type RefusalCode, refusals } from '../../../../shared/protocol/refusals.ts'

/** The label of the metric. */
export type RefusedReason = 'sockets' | 'requests' | 'upgrades' | 'host' | 'slowBody' | 'unreadAnswer' | 'descriptors'

/** A refusal that is given before anything is read or rendered; its bytes are made once. */
export interface RefusedAnswer {
  reason: RefusedReason
  status: number
  headers: Record<string, string>
  body: Buffer
  /** The whole answer, for a socket that has no request yet. */
  bytes: Buffer
}

/** The answer that routes give for this refusal (http/route.ts), after which the socket is closed. */
export function refusedAnswer(
  reason: RefusedReason,
  code: RefusalCode,
  status: number = refusals[code].status,
): RefusedAnswer {
  const body = Buffer.from(JSON.stringify({ success: false, code, message: refusals[code].message }))
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    'Cache-Control': 'private, no-store',
    ...(status === 400 ? {} : { 'Retry-After': '1' }),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`)
  return { reason, status, headers, body, bytes: Buffer.concat([head, body]) }
}
