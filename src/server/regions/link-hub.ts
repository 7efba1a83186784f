import type { KeyObject } from 'node:crypto'
import type { Logger } from 'pino'
import { refuse } from '../../shared/protocol/refusals.ts'
import { writeCommands } from '../database/commands.ts'
import {
  challenge,
  type FrameKeys,
  type HubIntroduction,
  type Introduction,
  judgeDialler,
  welcome,
} from './handshake.ts'
import type { FromHub, LinkedRegion, LinkHub, ToHub } from './link.ts'
import { LinkAllowance } from './link-allowance.ts'
import { LinkClose, LinkLine, type LinkSocket } from './link-line.ts'
import { type Ping, type Pong, readToHub } from './link-messages.ts'
import { Strangers } from './link-strangers.ts'
import { BEGINNING, type Position } from './position.ts'
import { createSeal } from './seal.ts'

/** Commands that one region may have under way before more are refused with Busy. */
const MAX_UNDER_WAY = 2_000

export interface HubOptions extends HubIntroduction {
  /** `keys.link`. */
  key: KeyObject
  /** The site's clock, which diallers learn. */
  clock: () => number
  /** How far this region has come: told to every line once a second. */
  position: () => Position
  log: Logger
}

export interface Hub extends LinkHub {
  /**
   * Takes a socket that somebody opened: of a WebSocket (link-socket.ts), or one end of a `linkPair()` in memory.
   * `address` is what strangers are counted by.
   */
  accept(socket: LinkSocket, address: string): void
}

/** The primary's end of the link; shut until `open(true)`. */
export function createHub(options: HubOptions): Hub {
  return new OpenableHub(options)
}

class OpenableHub implements Hub {
  private readonly options: HubOptions
  private readonly strangers = new Strangers()
  private readonly linked = new Map<string, Linked>()
  private readonly heard: ((from: LinkedRegion, message: ToHub) => void)[] = []
  private readonly came: ((region: LinkedRegion) => void)[] = []
  private readonly went: ((region: LinkedRegion) => void)[] = []
  private isOpen = false

  constructor(options: HubOptions) {
    this.options = options
  }

  regions = (): LinkedRegion[] => [...this.linked.values()]
  onMessage = (listener: (from: LinkedRegion, message: ToHub) => void) => void this.heard.push(listener)
  onLinked = (listener: (region: LinkedRegion) => void) => void this.came.push(listener)
  onUnlinked = (listener: (region: LinkedRegion) => void) => void this.went.push(listener)
  close = () => this.open(false)

  open(isPrimary: boolean): void {
    this.isOpen = isPrimary
    if (isPrimary) return
    this.strangers.dropAll(LinkClose.notPrimary)
    for (const region of [...this.linked.values()]) region.line.end(LinkClose.notPrimary)
  }

  accept(socket: LinkSocket, address: string): void {
    if (!this.isOpen) {
      socket.close(LinkClose.notPrimary)
      return
    }
    this.strangers.add(socket, address)
    const { frame, nonce } = challenge()
    socket.onClose(() => this.strangers.forget(socket))
    socket.onBytes((answer) => {
      if (this.strangers.forget(socket)) this.judge(socket, address, nonce, answer)
    })
    socket.send(frame)
  }

  private judge(socket: LinkSocket, address: string, nonce: Uint8Array, answer: Uint8Array): void {
    const proven = judgeDialler(this.options.key, nonce, answer)
    const isItself = proven?.who.region === this.options.region
    if (proven && !isItself) {
      this.strangers.trust(address)
      this.welcome(socket, nonce, proven)
    } else socket.close(isItself ? LinkClose.itself : LinkClose.notProven)
  }

  private welcome(socket: LinkSocket, nonce: Uint8Array, { who, body }: { who: Introduction; body: Uint8Array }): void {
    this.linked.get(who.region)?.line.end(LinkClose.replaced)
    const { key, region, url, code } = this.options
    const { frame, keys } = welcome(key, nonce, body, { region, url, code })
    socket.trust()
    socket.send(frame)
    const linked = new Linked(who, (self) => this.startLine(self, socket, keys), this.options.log)
    this.linked.set(who.region, linked)
    this.options.log.info({ from: who.region, url: who.url, code: who.code }, 'a region has linked')
    for (const tell of this.came) tell(linked)
  }

  private startLine(linked: Linked, socket: LinkSocket, keys: FrameKeys): Line {
    const allowance = new LinkAllowance()
    return new LinkLine<ToHub | Ping, FromHub | Pong>(
      socket,
      { in: createSeal(keys.toHub), out: createSeal(keys.fromHub) },
      {
        read: readToHub,
        message: (message) => this.hear(linked, message),
        ended: (code) => this.unlink(linked, code),
        tick: () => linked.send({ kind: 'here', id: 0, position: this.options.position() }),
        allowance: (bytes) => allowance.take(bytes),
      },
    )
  }

  private unlink(linked: Linked, code: number): void {
    this.linked.delete(linked.region)
    this.options.log.info({ from: linked.region, code }, 'the link of a region has ended')
    for (const tell of this.went) tell(linked)
  }

  private hear(from: Linked, message: ToHub | Ping): void {
    if (message.kind === 'ping') {
      from.line.send({ kind: 'pong', id: message.id, clock: this.options.clock() })
      return
    }
    if (message.kind === 'position') from.isAt = message.position
    if (message.kind === 'command' && !from.admits(message)) return
    for (const tell of this.heard) tell(from, message)
  }
}

type Line = LinkLine<ToHub | Ping, FromHub | Pong>

class Linked implements LinkedRegion {
  readonly region: string
  readonly isCandidate: boolean
  readonly url: string
  readonly line: Line
  isAt: Position | null = null
  private readonly underWay = new Set<number>()
  private readonly log: Logger

  constructor(who: Introduction, start: (self: Linked) => Line, log: Logger) {
    this.region = who.region
    this.isCandidate = who.isCandidate
    this.url = who.url
    this.log = log
    this.line = start(this)
  }

  position = () => this.isAt

  send = (message: FromHub): void => {
    if (message.kind === 'answer' || message.kind === 'lost') this.underWay.delete(message.id)
    if (this.line.send(message) !== 'tooLarge') return
    this.log.error({ to: this.region, kind: message.kind }, 'a message is too large for the link')
    if (message.kind === 'answer') this.answerWith('Failed', message.id, message.position)
  }

  /** Whether the command goes on to the writer; otherwise it is refused here. */
  admits({ id, order }: Extract<ToHub, { kind: 'command' }>): boolean {
    const isKnown = Object.hasOwn(writeCommands, order.command)
    const isBusy = this.underWay.size >= MAX_UNDER_WAY
    if (!isKnown || isBusy) this.answerWith(isKnown ? 'Busy' : 'UnknownCommand', id, BEGINNING)
    else this.underWay.add(id)
    return isKnown && !isBusy
  }

  private answerWith(code: 'Busy' | 'Failed' | 'UnknownCommand', id: number, position: Position): void {
    this.line.send({ kind: 'answer', id, refusal: refuse(code).body, position })
  }
}
