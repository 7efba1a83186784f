import { extendDeadline, firstDeadline } from '../limits/minimum-rate.ts'

/** A full buffer grows at least by this factor. */
const GROWTH_FACTOR = 1.25
/** A body that was opened less than this ago has no speed yet; others are dropped before it. */
const NEW_BODY_MS = 1_000
/** The speed of a body is that of its last 5 to 10 seconds, so that it cannot begin fast and then stay slow. */
const SPEED_WINDOW_MS = 5_000
/** Share of the memory beyond which the bodies of one group are dropped first. */
const MAX_GROUP_SHARE = 0.25
const EMPTY_BUFFER = Buffer.alloc(0)

interface Window {
  at: number
  receivedBytes: number
}

/** A body that is being received. */
export interface BodyBuffer {
  /** The received bytes, followed by spare capacity. */
  bytes: Buffer
  size: number
  /** Milliseconds of `performance.now()`. */
  openedAt: number
  /** With those that went to the disk. */
  receivedBytes: number
  /** When its present window and the next one began, and what had arrived then. Its speed is that since the first. */
  windows: [Window, Window]
  /** Who sends it. */
  group: string
  /** When the body is too slow unless more arrives; milliseconds of `performance.now()`. */
  deadlineMs: number
  /** Its memory was needed for other bodies, and its bytes are dropped. */
  isEvicted: boolean
}

/**
 * The memory of all bodies that are being received or handled, at most `maxBytes` together. It counts received bytes, so
 * slow senders block nobody; when it is full, the slowest incomplete body makes room for the others.
 */
export class BodyBuffers {
  private readonly maxBytes: number
  private allocatedBytes = 0
  private readonly incomplete = new Set<BodyBuffer>()

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** @param group the address of the sender, so that many small bodies of one address cannot evict those of others */
  open(now: number, group: string): BodyBuffer {
    const deadlineMs = firstDeadline(now)
    const start = { at: now, receivedBytes: 0 }
    const received = { receivedBytes: 0, windows: [start, start] as [Window, Window], deadlineMs }
    const body: BodyBuffer = { bytes: EMPTY_BUFFER, size: 0, openedAt: now, ...received, group, isEvicted: false }
    this.incomplete.add(body)
    return body
  }

  /** Adds a chunk, which counts as received. Chunks are copied, because a chunk of one byte occupies about 200. */
  append(body: BodyBuffer, chunk: Uint8Array, now: number): void {
    if (body.isEvicted) return
    const size = body.size + chunk.byteLength
    if (size > body.bytes.length) this.grow(body, size)
    body.bytes.set(chunk, body.size)
    body.size = size
    this.countReceived(body, chunk.byteLength, now)
    while (this.allocatedBytes > this.maxBytes) {
      const evicted = this.findEvictable(now)
      if (!evicted) return
      evicted.isEvicted = true
      this.release(evicted)
    }
  }

  /** Counts bytes for the speed of the body, and moves its deadline by what they earn. */
  countReceived(body: BodyBuffer, byteLength: number, now: number): void {
    const { windows, receivedBytes } = body
    if (now - windows[1].at >= SPEED_WINDOW_MS) body.windows = [windows[1], { at: now, receivedBytes }]
    body.receivedBytes += byteLength
    body.deadlineMs = extendDeadline(body.deadlineMs, byteLength, now)
  }

  /** Marks the body as whole; it can no longer be evicted. */
  complete(body: BodyBuffer): void {
    this.incomplete.delete(body)
  }

  /** Frees its memory. */
  release(body: BodyBuffer): void {
    this.incomplete.delete(body)
    this.allocatedBytes -= body.bytes.length
    body.bytes = EMPTY_BUFFER
    body.size = 0
  }

  /**
   * The slowest incomplete body, of the groups with more than their share if there are any, so that fast bodies of one
   * address cannot evict those of others.
   */
  private findEvictable(now: number): BodyBuffer | undefined {
    const bytesOf = new Map<string, number>()
    for (const { group, size } of this.incomplete) bytesOf.set(group, (bytesOf.get(group) ?? 0) + size)
    const maxGroupBytes = this.maxBytes * MAX_GROUP_SHARE
    const all = [...this.incomplete]
    const greedy = all.filter(({ group }) => (bytesOf.get(group) ?? 0) > maxGroupBytes)
    const msPerByte = ({ receivedBytes, openedAt, windows: [window] }: BodyBuffer) =>
      now - openedAt < NEW_BODY_MS ? 0 : (now - window.at) / (receivedBytes - window.receivedBytes + 1)
    return (greedy.length > 0 ? greedy : all).sort((a, b) => msPerByte(b) - msPerByte(a) || b.size - a.size)[0]
  }

  private grow(body: BodyBuffer, minBytes: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(minBytes, Math.ceil(body.bytes.length * GROWTH_FACTOR)))
    body.bytes.copy(bytes, 0, 0, body.size)
    this.allocatedBytes += bytes.length - body.bytes.length
    body.bytes = bytes
  }
}
