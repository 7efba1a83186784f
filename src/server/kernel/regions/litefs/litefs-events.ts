import { type ClientRequest, get } from 'node:http'
import * as v from 'valibot'

/** A line of `GET /events`, as far as the site needs it. Unknown types of a newer LiteFS are passed on. */
const EventSchema = v.object({
  type: v.string(),
  db: v.optional(v.string()),
  data: v.optional(v.object({ isPrimary: v.optional(v.boolean()), hostname: v.optional(v.string()) }), {}),
})
export type LiteFsEvent = v.InferOutput<typeof EventSchema>

export interface LiteFsListener {
  /** Events that arrived together, in order. After each opening the first is `init`. */
  onEvents(events: LiteFsEvent[]): void
  /** The stream broke or could not be opened, and is retried. `isRefused`: the connection was refused. */
  onBroken(error: Error, isRefused: boolean): void
}

/** Lines have about 200 bytes. */
const MAX_LINE_LENGTH = 64 * 1024
/** LiteFS sends the first line at once. */
const FIRST_EVENT_TIMEOUT_MS = 5_000
/** A broken stream is opened again at once, but no more often than this. */
const RETRY_MS = 100

/** LiteFS's event stream, read line by line within bounds, and opened again when it breaks. */
export class LiteFsEventStream {
  private readonly url: string
  private readonly listener: LiteFsListener
  private request: ClientRequest | null = null
  private openedAt = Number.NEGATIVE_INFINITY
  private timer: NodeJS.Timeout | undefined
  private isClosed = false

  /** @param url base URL of LiteFS's HTTP server */
  constructor(url: string, listener: LiteFsListener) {
    this.url = url
    this.listener = listener
  }

  open(): void {
    this.openedAt = performance.now()
    const request = get(`${this.url}/events`, { agent: false })
    this.request = request
    const onError = (error: Error) => {
      if (this.request === request) this.handleBroken(error)
    }
    this.timer = setTimeout(() => onError(new Error('LiteFS sent no event in time')), FIRST_EVENT_TIMEOUT_MS)
    request.on('error', onError)
    request.on('response', (response) => {
      if (response.statusCode !== 200) return onError(new Error(`GET /events answered ${response.statusCode}`))
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        if (this.request !== request) return
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        if (rest.length > MAX_LINE_LENGTH) onError(new Error('a line of LiteFS is too long'))
        else this.handleLines(lines, onError)
      })
      response.on('error', onError)
      response.on('close', () => onError(new Error('LiteFS ended the stream')))
    })
  }

  close(): void {
    this.isClosed = true
    this.closeRequest()
  }

  private handleLines(lines: string[], onError: (error: Error) => void): void {
    const events = lines.map(parseEvent)
    // An unreadable line may hold any event; a new stream begins with the present state.
    if (events.includes(null)) onError(new Error('a line of LiteFS is unreadable'))
    else if (events.length) {
      clearTimeout(this.timer)
      this.listener.onEvents(events.filter((event) => event !== null))
    }
  }

  private handleBroken(error: Error): void {
    this.closeRequest()
    this.listener.onBroken(error, (error as NodeJS.ErrnoException).code === 'ECONNREFUSED') // what a socket emits
    if (this.isClosed) return
    const waitMs = Math.max(0, this.openedAt + RETRY_MS - performance.now())
    this.timer = setTimeout(() => this.open(), waitMs)
  }

  private closeRequest(): void {
    clearTimeout(this.timer)
    const { request } = this
    this.request = null
    request?.on('error', () => {})
    request?.destroy()
  }
}

function parseEvent(line: string): LiteFsEvent | null {
  try {
    const parsed = v.safeParse(EventSchema, JSON.parse(line))
    return parsed.success ? parsed.output : null
  } catch {
    return null
  }
}
