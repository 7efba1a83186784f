import type { KeyObject } from 'node:crypto'
import type { Logger } from 'pino'
import { answerChallenge, type FrameKeys, type HubIntroduction, type Introduction, judgeHub } from './handshake.ts'
import type { FromHub, LinkDialler, SiteClock, ToHub } from './link.ts'
import { LinkClose, LinkLine, type LinkSocket, MAX_WAITING_BYTES } from './link-line.ts'
import { type Ping, type Pong, readFromHub } from './link-messages.ts'
import { createSeal } from './seal.ts'

/** How long connecting and the handshake may take. */
const HANDSHAKE_MS = 4_000
/** How long after a failure the next try comes: at once after the first, then later and later. */
const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 2_000
/** A link that held for so long starts the tries anew when it breaks. */
const STABLE_MS = 2_000
/** Beyond this nothing more is taken for sending, so that a hub that reads slowly is noticed before the line ends. */
const FULL_BYTES = MAX_WAITING_BYTES / 2

export interface DiallerOptions extends Introduction {
  /** `keys.link`. */
  key: KeyObject
  /** Opens a socket to the site at this URL: `dialWebSocket`, or one end of a `linkPair()` in memory. */
  connect: (url: string) => LinkSocket
  /** Learns the hub's clock. */
  clock: SiteClock
  log: Logger
  /** For the jitter of the retries, from 0 to 1. */
  random?: () => number
}

/** A replica's end of the link: it keeps one line to whoever `dial` named last. */
export function createDialler(options: DiallerOptions): LinkDialler {
  return new PersistentDialler(options)
}

type Line = LinkLine<FromHub | Pong, ToHub | Ping>

class PersistentDialler implements LinkDialler {
  private readonly options: DiallerOptions
  private readonly random: () => number
  private readonly heard: ((message: FromHub) => void)[] = []
  private readonly came: ((hub: { region: string; url: string }) => void)[] = []
  private readonly went: (() => void)[] = []
  private url: string | null = null
  private failures = 0
  /** The socket of the try that is under way, and null while there is none. */
  private trying: LinkSocket | null = null
  private retry: NodeJS.Timeout | null = null
  private late: NodeJS.Timeout | null = null
  private line: Line | null = null
  private linkedAt = 0
  private lastPing = 0
  private askedAt = 0
  private roundTrip: number | null = null

  constructor(options: DiallerOptions) {
    this.options = options
    this.random = options.random ?? Math.random
  }

  isLinked = () => this.line !== null
  roundTripMs = () => (this.line ? this.roundTrip : null)
  onMessage = (listener: (message: FromHub) => void) => void this.heard.push(listener)
  onLinked = (listener: (hub: { region: string; url: string }) => void) => void this.came.push(listener)
  onUnlinked = (listener: () => void) => void this.went.push(listener)
  close = () => this.dial(null)

  dial(url: string | null): void {
    if (url === this.url) return
    this.url = url
    this.failures = 0
    this.giveUpTry()
    if (this.line) this.line.end(LinkClose.done)
    else this.tryAgain()
  }

  send(message: ToHub): boolean {
    if (!this.line) return false
    if (this.line.waiting() > FULL_BYTES) {
      // What is said has to arrive while the line lasts: all is told anew on the next one.
      if (message.kind === 'said') this.line.end(LinkClose.tooSlow)
      return false
    }
    const sent = this.line.send(message)
    if (sent === 'tooLarge') this.options.log.error({ kind: message.kind }, 'a message is too large for the link')
    return sent === 'sent'
  }

  private tryAgain(): void {
    const { url } = this
    if (url === null || this.retry) return
    const backOff = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.failures - 1))
    const wait = this.failures === 0 ? 0 : backOff * (0.5 + this.random() / 2)
    this.failures++
    this.retry = setTimeout(() => {
      this.retry = null
      this.knock(url)
    }, wait)
  }

  private knock(url: string): void {
    const socket = this.options.connect(url)
    this.trying = socket
    this.late = setTimeout(() => this.failed(socket, LinkClose.silent), HANDSHAKE_MS)
    socket.onClose((code) => this.failed(socket, code))
    socket.onBytes((frame) => {
      if (socket !== this.trying) return
      const asked = answerChallenge(this.options.key, frame, this.introduction())
      if (!asked) return this.failed(socket, LinkClose.notProven)
      socket.onBytes((answer) => {
        if (socket !== this.trying) return
        const hub = judgeHub(this.options.key, asked, answer)
        if (hub) this.link(socket, hub.who, hub.keys)
        else this.failed(socket, LinkClose.notProven)
      })
      socket.send(asked.frame)
    })
  }

  private introduction(): Introduction {
    const { region, url, code, isCandidate } = this.options
    return { region, url, code, isCandidate }
  }

  private failed(socket: LinkSocket, code: number): void {
    if (socket !== this.trying) return
    this.options.log.debug({ url: this.url, code }, 'no link to the primary')
    this.giveUpTry(code)
    // Who is told to lead is the primary any moment now.
    if (code === LinkClose.notPrimary) this.failures = 1
    this.tryAgain()
  }

  /** Ends the try that is under way, and the one that is to come. */
  private giveUpTry(code: number = LinkClose.done): void {
    const socket = this.trying
    this.settle()
    if (this.retry) clearTimeout(this.retry)
    this.retry = null
    socket?.close(code)
  }

  private settle(): void {
    this.trying = null
    if (this.late) clearTimeout(this.late)
    this.late = null
  }

  private link(socket: LinkSocket, hub: HubIntroduction, keys: FrameKeys): void {
    this.settle()
    socket.trust()
    const seals = { in: createSeal(keys.fromHub), out: createSeal(keys.toHub) }
    this.line = new LinkLine<FromHub | Pong, ToHub | Ping>(socket, seals, {
      read: readFromHub,
      message: (message) => this.hear(message),
      ended: (code) => this.unlink(code),
      tick: () => this.ping(),
    })
    this.linkedAt = performance.now()
    this.options.log.info({ to: hub.region, url: hub.url, code: hub.code }, 'linked to the primary')
    this.ping()
    for (const tell of this.came) tell({ region: hub.region, url: hub.url })
  }

  private unlink(code: number): void {
    this.line = null
    this.roundTrip = null
    if (performance.now() - this.linkedAt >= STABLE_MS) this.failures = 0
    this.options.log.warn({ url: this.url, code }, 'the link to the primary has ended')
    for (const tell of this.went) tell()
    this.tryAgain()
  }

  private ping(): void {
    this.askedAt = performance.now()
    this.line?.send({ kind: 'ping', id: ++this.lastPing })
  }

  private hear(message: FromHub | Pong): void {
    if (message.kind !== 'pong') {
      for (const tell of this.heard) tell(message)
      return
    }
    if (message.id !== this.lastPing) return // an answer that took longer than a second says little of the time
    const now = performance.now()
    this.roundTrip = now - this.askedAt
    this.options.clock.heard(message.clock, this.askedAt, now)
  }
}
