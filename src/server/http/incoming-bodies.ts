/** A body of which nothing came has so long; it comes to that again whenever it makes up for what it is behind. */
const GRACE_MS = 10_000
/** What a body brings for each second that it takes: half of what a phone has at the edge of its net, and more than a trickle. */
const LEAST_BYTES_A_SECOND = 8 * 1024
/** The room of a body that needs more grows by this. */
const GROWTH = 1.25
const NOTHING = Buffer.alloc(0)

/** One body, as far as it has come. */
export interface IncomingBody {
  /** What has come, and behind it room for some of what may come yet. */
  bytes: Buffer
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
    const body: IncomingBody = { bytes: NOTHING, size: 0, dueAt: now + GRACE_MS, isCrowdedOut: false }
    this.coming.add(body)
    return body
  }

  /**
   * Each byte earns its time, none of it for later than the grace: who sends much at once cannot rest on it. Pieces are
   * copied and let go: one of a single byte takes some 200 of memory.
   */
  add(body: IncomingBody, chunk: Uint8Array, now: number): void {
    if (body.isCrowdedOut) return
    const size = body.size + chunk.byteLength
    if (size > body.bytes.length) this.grow(body, size)
    body.bytes.set(chunk, body.size)
    body.size = size
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
    this.held -= body.bytes.length
    body.bytes = NOTHING
    body.size = 0
  }

  private grow(body: IncomingBody, least: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(least, Math.ceil(body.bytes.length * GROWTH)))
    body.bytes.copy(bytes, 0, 0, body.size)
    this.held += bytes.length - body.bytes.length
    body.bytes = bytes
  }
}
