import { type ClientRequest, get } from 'node:http'
import * as v from 'valibot'

/** A line of `GET /events`, as far as the site needs it. Types that nobody knows are a newer LiteFS's and pass by. */
const EventSchema = v.object({
  type: v.string(),
  db: v.optional(v.string()),
  data: v.optional(v.object({ isPrimary: v.optional(v.boolean()), hostname: v.optional(v.string()) }), {}),
})
export type LiteFsEvent = v.InferOutput<typeof EventSchema>

export interface LiteFsListener {
  /** Lines that came together, in order. The first ever after a break is `init`. */
  onEvents(lines: LiteFsEvent[]): void
  /** The stream broke, or could not be opened; `isRefused`: nobody listens there. It is opened again by itself. */
  onBroken(error: Error, isRefused: boolean): void
}

/** Lines have about 200 bytes. */
const MAX_LINE_LENGTH = 64 * 1024
/** The first line comes at once. */
const FIRST_EVENT_TIMEOUT_MS = 5_000
/** A stream that broke is opened again at once, but no more often than this. */
const RETRY_MS = 100

/** LiteFS's stream of events: opened, read line by line within bounds, and opened again whenever it breaks. */
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
    const broken = (error: Error) => {
      if (this.request === request) this.handleBroken(error)
    }
    this.timer = setTimeout(() => broken(new Error('LiteFS says nothing')), FIRST_EVENT_TIMEOUT_MS)
    request.on('error', broken)
    request.on('response', (response) => {
      if (response.statusCode !== 200) return broken(new Error(`GET /events was answered ${response.statusCode}`))
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        if (this.request !== request) return
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        if (rest.length > MAX_LINE_LENGTH) broken(new Error('a line of LiteFS is too long'))
        else this.handleLines(lines, broken)
      })
      response.on('error', broken)
      response.on('close', () => broken(new Error('LiteFS ended the stream')))
    })
  }

  close(): void {
    this.isClosed = true
    this.closeRequest()
  }

  private handleLines(texts: string[], broken: (error: Error) => void): void {
    const lines = texts.map(parseEvent)
    // What cannot be read may have told of anything: a new stream begins with how things are.
    if (lines.includes(null)) broken(new Error('a line of LiteFS cannot be read'))
    else if (lines.length) {
      clearTimeout(this.timer)
      this.listener.onEvents(lines.filter((line) => line !== null))
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

function parseEvent(text: string): LiteFsEvent | null {
  try {
    const line = v.safeParse(EventSchema, JSON.parse(text))
    return line.success ? line.output : null
  } catch {
    return null
  }
}
