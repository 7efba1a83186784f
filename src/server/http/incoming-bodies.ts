/** A body of which nothing came has so long; it comes to that again whenever it makes up for what it is behind. */
const GRACE_MS = 10_000
/** What a body brings for each second that it takes: half of what a phone has at the edge of its net, and more than a trickle. */
const LEAST_BYTES_A_SECOND = 8 * 1024

/** One body, as far as it has come. */
export interface IncomingBody {
  chunks: Uint8Array[]
  size: number
  /** By the clock of `performance`: a body that has brought nothing more by then is too slow. */
  dueAt: number
  /** There was no room for it any more: what it had brought is let go. */
  isCrowdedOut: boolean
}

/**
 * The memory of all bodies that come or are worked on, `mostBytes` together. Nobody holds a place by sending little: what is
 * bounded is what has come, and where there is no room the largest that is not whole yet makes some.
 */
export class IncomingBodies {
  private readonly mostBytes: number
  private held = 0
  private readonly coming = new Set<IncomingBody>()

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes
  }

  begin(now: number): IncomingBody {
    const body: IncomingBody = { chunks: [], size: 0, dueAt: now + GRACE_MS, isCrowdedOut: false }
    this.coming.add(body)
    return body
  }

  /** Each byte earns its time, none of it for later than the grace: who sends much at once cannot rest on it. */
  add(body: IncomingBody, chunk: Uint8Array, now: number): void {
    if (body.isCrowdedOut) return
    body.chunks.push(chunk)
    body.size += chunk.byteLength
    this.held += chunk.byteLength
    body.dueAt = Math.min(body.dueAt + (chunk.byteLength / LEAST_BYTES_A_SECOND) * 1000, now + GRACE_MS)
    if (this.held <= this.mostBytes) return
    for (const largest of [...this.coming].sort((one, other) => other.size - one.size)) {
      largest.isCrowdedOut = true
      this.end(largest)
      if (this.held <= this.mostBytes) return
    }
  }

  /** The body is there: from now on it keeps what it holds until its end. */
  arrived(body: IncomingBody): void {
    this.coming.delete(body)
  }

  /** Nobody needs it any more. */
  end(body: IncomingBody): void {
    this.coming.delete(body)
    this.held -= body.size
    body.chunks = []
    body.size = 0
  }
}
