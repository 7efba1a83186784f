const MAX_EVENTS = 1_000
/** Characters of the payloads as JSON, which is close to their size in memory. */
const MAX_CHARS = 256 * 1024

interface BufferedEvent {
  name: string
  payload: unknown
  seq: number | null
}

/**
 * The events since the shown page was opened, for stores whose code loads later. It is bounded: once an event is
 * missing, nothing is kept until the next page, because a replay with a gap would leave a store wrong.
 */
export class ReplayBuffer {
  /** All events since the page was opened, in order; null when some are missing. */
  events: BufferedEvent[] | null = []
  private charCount = 0

  add(event: BufferedEvent): void {
    if (!this.events) return
    this.charCount += JSON.stringify(event.payload)?.length ?? 0
    this.events.push(event)
    if (this.events.length > MAX_EVENTS || this.charCount > MAX_CHARS) this.markIncomplete()
  }

  /** Starts again for another page, whose state includes all earlier events. */
  restart(): void {
    this.events = []
    this.charCount = 0
  }

  /** Stores that load before the next page must fetch their state. */
  markIncomplete(): void {
    this.events = null
  }
}
