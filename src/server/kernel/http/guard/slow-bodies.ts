import type { IncomingMessage } from 'node:http'
import { extendDeadline, firstDeadline } from '../../limits/minimum-rate.ts'

/** Routes that refuse a slow body with a text do it before its connection is ended. */
const REFUSAL_MS = 5_000

interface ArrivingBody {
  request: IncomingMessage
  /** Milliseconds of `performance.now()`. */
  deadlineMs: number
  /** Bytes that the socket had received at the last check. */
  bytes: number
}

/** Finds the requests whose bodies arrive below the minimum rate (limits/minimum-rate.ts). */
export class SlowBodies {
  private readonly arriving = new Set<ArrivingBody>()

  add(request: IncomingMessage, now: number): void {
    this.arriving.add({ request, deadlineMs: firstDeadline(now), bytes: request.socket.bytesRead })
  }

  /** The requests that are too slow now; called about once a second. */
  takeSlow(now: number): IncomingMessage[] {
    const slow: IncomingMessage[] = []
    for (const body of this.arriving) {
      const { request } = body
      const { bytesRead, destroyed } = request.socket
      // Bytes that the server has not read yet count as arrived.
      if (request.readableLength > 0) body.deadlineMs = firstDeadline(now)
      body.deadlineMs = extendDeadline(body.deadlineMs, bytesRead - body.bytes, now)
      body.bytes = bytesRead
      const isSlow = now > body.deadlineMs + REFUSAL_MS
      if (request.complete || destroyed || isSlow) this.arriving.delete(body)
      if (isSlow && !request.complete && !destroyed) slow.push(request)
    }
    return slow
  }
}
