/** A body of which nothing came has so long; it comes to that again whenever it makes up for what it is behind. */
const GRACE_MS = 10_000
/** What a body brings for each second that it takes: half of what a phone has at the edge of its net, and more than a trickle. */
const MIN_BYTES_PER_SECOND = 8 * 1024
/** The room of a body that needs more grows by this. */
const GROWTH_FACTOR = 1.25
const EMPTY_BUFFER = Buffer.alloc(0)

/** One body, as far as it has come. */
export interface BodyBuffer {
  /** What has come, and behind it room for some of what may come yet. */
  bytes: Buffer
  size: number
  /** By the clock of `performance`: a body that has brought nothing more by then is too slow. */
  deadlineMs: number
  /** There was no room for it any more: what it had brought is let go. */
  isEvicted: boolean
}

/**
 * The memory of all bodies that come or are worked on, `mostBytes` together. Nobody holds a place by sending little: what is
 * bounded is what has come, and where there is no room the largest that is not whole yet makes some.
 */
export class BodyBuffers {
  private readonly maxBytes: number
  private allocatedBytes = 0
  private readonly incomplete = new Set<BodyBuffer>()

  constructor(mostBytes: number) {
    this.maxBytes = mostBytes
  }

  open(now: number): BodyBuffer {
    const body: BodyBuffer = { bytes: EMPTY_BUFFER, size: 0, deadlineMs: now + GRACE_MS, isEvicted: false }
    this.incomplete.add(body)
    return body
  }

  /**
   * Each byte earns its time, none of it for later than the grace: who sends much at once cannot rest on it. Pieces are
   * copied and let go: one of a single byte takes some 200 of memory.
   */
  append(body: BodyBuffer, chunk: Uint8Array, now: number): void {
    if (body.isEvicted) return
    const size = body.size + chunk.byteLength
    if (size > body.bytes.length) this.grow(body, size)
    body.bytes.set(chunk, body.size)
    body.size = size
    body.deadlineMs = Math.min(body.deadlineMs + (chunk.byteLength / MIN_BYTES_PER_SECOND) * 1000, now + GRACE_MS)
    if (this.allocatedBytes <= this.maxBytes) return
    for (const largest of [...this.incomplete].sort((one, other) => other.size - one.size)) {
      largest.isEvicted = true
      this.release(largest)
      if (this.allocatedBytes <= this.maxBytes) return
    }
  }

  /** The body is there: from now on it keeps what it holds until its end. */
  complete(body: BodyBuffer): void {
    this.incomplete.delete(body)
  }

  /** Nobody needs it any more. */
  release(body: BodyBuffer): void {
    this.incomplete.delete(body)
    this.allocatedBytes -= body.bytes.length
    body.bytes = EMPTY_BUFFER
    body.size = 0
  }

  private grow(body: BodyBuffer, least: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(least, Math.ceil(body.bytes.length * GROWTH_FACTOR)))
    body.bytes.copy(bytes, 0, 0, body.size)
    this.allocatedBytes += bytes.length - body.bytes.length
    body.bytes = bytes
  }
}
