import type { LoggedEvent } from './logged-event.ts'
import { type Stream, streamsOf } from './streams.ts'

/** At least this many events are kept, and up to a quarter more, so that old ones are dropped together. */
const MIN_EVENTS = 4_000
const MAX_EVENTS = 5_000
/** Payloads beyond this are dropped from memory earlier; a replay then reads the log. */
const MAX_BYTES = 8 * 1024 * 1024

/** An event with its one or two streams. */
interface RecentEvent {
  event: LoggedEvent
  stream: Stream | undefined
  otherStream: Stream | undefined
}

/** The latest events of the log in memory, so that many clients that reconnect at once read no rows. */
export class RecentEvents {
  private events: RecentEvent[] = []
  private bytes = 0
  /** Every event after this number, up to `lastSeq`, is here. */
  private knownAfterSeq: number
  private last: LoggedEvent | null = null

  /** @param cursor the highest seq of the log at the start */
  constructor(cursor: number) {
    this.knownAfterSeq = cursor
  }

  /** The latest event; null before the first. */
  get latest(): LoggedEvent | null {
    return this.last
  }

  /** Appends the next event of the log. */
  append(event: LoggedEvent): void {
    const [stream, otherStream] = streamsOf(event.stream)
    this.events.push({ event, stream, otherStream })
    this.bytes += event.payload.length
    this.last = event
    if (this.events.length >= MAX_EVENTS) this.dropOldest(this.events.length - MIN_EVENTS)
    else if (this.bytes > MAX_BYTES) this.dropOldest(Math.ceil(this.events.length / 2))
  }

  /** Starts over with a replaced log whose last event is `last`. */
  reset(last: LoggedEvent | null): void {
    this.events = []
    this.bytes = 0
    this.knownAfterSeq = last?.seq ?? 0
    this.last = last
  }

  /**
   * Up to `limit` events of these streams after the cursor that `isReceived` accepts, oldest first; null when older ones
   * would be needed.
   */
  since(
    cursor: number,
    streams: readonly Stream[],
    limit: number,
    isReceived: (event: LoggedEvent) => boolean = () => true,
  ): LoggedEvent[] | null {
    if (cursor < this.knownAfterSeq) return null
    const wanted = new Set<Stream | undefined>(streams)
    const found: LoggedEvent[] = []
    for (let i = this.indexAfter(cursor); i < this.events.length && found.length < limit; i++) {
      const recent = this.events[i]
      if (!recent) continue
      const { event, stream, otherStream } = recent
      const isWanted = wanted.has(stream) || (otherStream && wanted.has(otherStream))
      if (isWanted && isReceived(event)) found.push(event)
    }
    return found
  }

  private dropOldest(count: number): void {
    const dropped = this.events.splice(0, count)
    this.knownAfterSeq = dropped.at(-1)?.event.seq ?? this.knownAfterSeq
    for (const { event } of dropped) this.bytes -= event.payload.length
  }

  /** Binary search: the index of the first event after the cursor. */
  private indexAfter(cursor: number): number {
    let low = 0
    let high = this.events.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.events[middle]?.event.seq ?? 0) > cursor) high = middle
      else low = middle + 1
    }
    return low
  }
}
