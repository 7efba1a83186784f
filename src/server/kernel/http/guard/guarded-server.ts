import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Counter } from 'prom-client'
import type { Config } from '../../config.ts'
import { EventLoopBudget } from '../../limits/event-loop-budget.ts'
import { KeyedCounts } from '../../limits/keyed-counts.ts'
import { createRateLimiter, type RateLimiter } from '../../limits/rate-limiter.ts'
import { addressGroup, clientAddress, directAddress } from '../client-address.ts'
import { type RefusedAnswer, type RefusedReason, refusedAnswer } from './refused-answers.ts'
import { SendQueueLimit } from './send-queue-limit.ts'
import { SlowBodies } from './slow-bodies.ts'
import { SocketFeed } from './socket-feed.ts'
import { UnreadAnswers } from './unread-answers.ts'

/** The rest is for the database, files, links to other regions and the relay of calls. */
const SHARE_OF_DESCRIPTORS = 0.8

/** Requests of one socket that are under way: browsers send one at a time, and a proxy few. */
const MAX_REQUESTS_PER_SOCKET = 8
/** Time of a turn that the requests of one address may take. */
const MAX_TURN_MS = 4
const TIMEOUTS: Timeouts = { headMs: 10_000, answerStallMs: 30_000, sweepMs: 1_000 }
/** Longer than people take from page to page, and short enough that idle sockets do not use up an address's bound. */
const KEEP_ALIVE_MS = 15_000
/** One address may upgrade those of this many seconds at once, because all tabs reconnect after a restart. */
const UPGRADE_BURST_SECONDS = 10

const TOO_MANY_SOCKETS = refusedAnswer('sockets', 'Busy')
const TOO_MANY_REQUESTS = refusedAnswer('requests', 'Busy')
const TOO_MANY_UPGRADES = refusedAnswer('upgrades', 'RateLimited')
const TWO_HOSTS = refusedAnswer('host', 'InvalidInput', 400)

export interface GuardOptions {
  config: Pick<Config, 'trustedProxies' | 'addressLimits'>
  /** Called when a connection cannot be accepted; the server keeps its open ones. */
  onAcceptFailed?: (error: Error) => void
  timeouts?: Timeouts
  maxConnections?: number
}

export interface Timeouts {
  /** A request's head arrives within this. */
  headMs: number
  /** A connection whose client has read nothing of an answer for this long is reset. */
  answerStallMs: number
  /** Interval of the checks of heads, bodies and answers. */
  sweepMs: number
}

/** A socket of the server, with its requests that are under way. */
interface GuardedSocket {
  feed: SocketFeed
  /** For each request the function that takes it out of the counts. */
  ends: Set<() => void>
  /** A request was refused; those behind it are not answered. */
  isClosing: boolean
  /** The peer is a trusted proxy, and its clients are counted instead. */
  isProxy: boolean
}

/**
 * The HTTP server with bounds for each socket and each address, before any of the application's code runs (decision 0054).
 * A request that is within them goes to the listener, in this turn or a later one.
 */
export class GuardedServer {
  readonly server: Server
  readonly refused = new Counter({
    name: 'meydan_http_refused_total',
    help: 'Connections and requests that were refused or ended before the application saw them, by reason.',
    labelNames: ['reason'],
    registers: [],
  })
  private readonly options: GuardOptions
  private readonly timeouts: Timeouts
  private readonly listener: RequestListener
  private readonly guarded = new WeakMap<Socket, GuardedSocket>()
  private readonly refusedUpgrades = new WeakMap<IncomingMessage, RefusedAnswer>()
  private readonly budget = new EventLoopBudget(MAX_TURN_MS)
  private readonly slowBodies = new SlowBodies()
  private readonly unreadAnswers: UnreadAnswers
  private readonly sendQueues: SendQueueLimit
  private readonly sockets: KeyedCounts
  private readonly requests: KeyedCounts
  private readonly upgrades: RateLimiter
  private socketNumber = 0

  constructor(listener: RequestListener, options: GuardOptions) {
    const { sockets, requests, upgradesPerSecond, sendQueueBytes } = options.config.addressLimits
    this.options = options
    this.timeouts = options.timeouts ?? TIMEOUTS
    this.listener = listener
    this.sockets = new KeyedCounts(sockets)
    this.requests = new KeyedCounts(requests)
    this.unreadAnswers = new UnreadAnswers(this.timeouts.answerStallMs)
    this.sendQueues = new SendQueueLimit(sendQueueBytes)
    this.upgrades = createRateLimiter({
      points: upgradesPerSecond * UPGRADE_BURST_SECONDS,
      perMs: UPGRADE_BURST_SECONDS * 1000,
    })
    this.server = this.createServer()
  }

  private createServer(): Server {
    const { maxConnections = maxConnectionsOf(descriptorLimit()) } = this.options
    const server = createServer(this.serverOptions())
    server.maxConnections = maxConnections
    server.on('connection', (socket) => this.guard(socket))
    server.on('request', (request, response) => this.admit(request, response))
    // Node would answer these itself, uncounted.
    server.on('checkExpectation', (request, response) => this.admit(request, response))
    server.on('upgrade', ({ socket }) => this.detach(socket))
    server.on('drop', () => this.count('descriptors'))
    server.once('listening', () => this.watch())
    return server
  }

  private serverOptions(): ServerOptions {
    return {
      headersTimeout: this.timeouts.headMs,
      connectionsCheckingInterval: this.timeouts.sweepMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      requestTimeout: 0, // bodies have a minimum rate instead
      shouldUpgradeCallback: (request) => this.admitUpgrade(request),
    }
  }

  private watch(): void {
    const { port } = this.server.address() as AddressInfo // it listens on a port
    const sweep = setInterval(() => void this.sweep(port), this.timeouts.sweepMs).unref()
    this.server.once('close', () => clearInterval(sweep))
    this.server.on('error', (error) => this.options.onAcceptFailed?.(error))
  }

  private guard(socket: Socket): void {
    const address = directAddress(this.options.config, socket)
    const key = address === null ? `proxy ${++this.socketNumber}` : addressGroup(address)
    const close = this.sendQueues.isFull(key) ? null : this.sockets.open(key)
    if (close) {
      this.guarded.set(socket, this.feedSocket(socket, key, address === null))
      this.unreadAnswers.add(socket, performance.now())
      if (address !== null) this.sendQueues.add(socket)
      socket.once('close', close)
    } else this.refuseSocket(socket)
  }

  private feedSocket(socket: Socket, key: string, isProxy: boolean): GuardedSocket {
    const isFull = () => guarded.isClosing || guarded.ends.size >= MAX_REQUESTS_PER_SOCKET
    const feed = new SocketFeed(socket, key, this.budget, isFull)
    const guarded: GuardedSocket = { feed, ends: new Set(), isClosing: false, isProxy }
    // A response that waits behind another one has no `close` of its own.
    socket.once('close', () => {
      for (const end of guarded.ends) end()
    })
    return guarded
  }

  private refuseSocket(socket: Socket): void {
    this.count(TOO_MANY_SOCKETS.reason)
    socket.removeAllListeners('data').on('data', () => {}) // Node's parser gets no bytes
    socket.once('finish', () => socket.destroy()).end(TOO_MANY_SOCKETS.bytes)
  }

  private admit(request: IncomingMessage, response: ServerResponse): void {
    const guarded = this.guarded.get(request.socket)
    if (!guarded || guarded.isClosing) return
    const refusal = this.refusedUpgrades.get(request) ?? (hasTwoHosts(request) ? TWO_HOSTS : null)
    const group = addressGroup(clientAddress(this.options.config, request))
    const close = refusal ? null : this.requests.open(group)
    if (!close) {
      this.count((refusal ?? TOO_MANY_REQUESTS).reason)
      refuse(guarded, response, refusal ?? TOO_MANY_REQUESTS)
      return
    }
    const end = () => {
      close()
      if (guarded.ends.delete(end)) guarded.feed.release()
    }
    guarded.ends.add(end)
    response.once('close', end)
    if (hasBody(request)) this.slowBodies.add(request, performance.now())
    this.budget.run(group, () => {
      if (!request.socket.destroyed) this.listener(request, response)
    })
  }

  /**
   * Whether the socket is upgraded to the live protocol. A refused upgrade is answered as a request. Offers of other
   * protocols are ignored, since `curl --http2` sends one with every request.
   */
  private admitUpgrade(request: IncomingMessage): boolean {
    const guarded = this.guarded.get(request.socket)
    const isWebSocket = /^websocket$/i.test(request.headers.upgrade ?? '')
    const isServed = this.server.listenerCount('upgrade') > 1 // not while the database is opened
    if (!isWebSocket || !isServed || hasTwoHosts(request) || guarded?.isClosing) return false
    const group = addressGroup(clientAddress(this.options.config, request))
    const hasRate = this.upgrades.consume(group, performance.now()) === 0
    if (hasRate && !guarded?.isProxy) return true
    const close = hasRate ? this.sockets.open(group) : null
    if (close) request.socket.once('close', close)
    else this.refusedUpgrades.set(request, hasRate ? TOO_MANY_SOCKETS : TOO_MANY_UPGRADES)
    return close !== null
  }

  /** Leaves the socket to another protocol. */
  private detach(socket: Socket): void {
    this.guarded.get(socket)?.feed.detach()
    this.unreadAnswers.delete(socket)
  }

  private async sweep(port: number): Promise<void> {
    const now = performance.now()
    for (const { socket } of this.slowBodies.takeSlow(now)) this.end(socket, 'slowBody')
    for (const socket of this.unreadAnswers.findStalled(now)) this.end(socket, 'unreadAnswer')
    for (const socket of await this.sendQueues.findExcess(port)) this.end(socket, 'unreadAnswer')
  }

  /** A closed connection would keep its unread bytes in the system for minutes, and a reset one keeps none. */
  private end(socket: Socket, reason: RefusedReason): void {
    this.count(reason)
    socket.resetAndDestroy() // alone it would wait until everything is written
    socket.destroy()
  }

  private count(reason: RefusedReason): void {
    this.refused.inc({ reason })
  }
}

/** Answers after the earlier requests of the socket, which is then closed. */
function refuse(guarded: GuardedSocket, response: ServerResponse, { status, headers, body }: RefusedAnswer): void {
  guarded.isClosing = true
  response.writeHead(status, headers)
  response.end(body)
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Node keeps the first `Host` and drops the others, and a proxy may have used another one (RFC 9112, section 3.2). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

/**
 * The most sockets that the server accepts, so that the process never runs out of descriptors: beyond it new ones are
 * refused, and those that are open keep working. Infinite when the process has no limit.
 */
function maxConnectionsOf(descriptors: number | string): number {
  return typeof descriptors === 'number' ? Math.floor(descriptors * SHARE_OF_DESCRIPTORS) : Number.POSITIVE_INFINITY
}

/** How many files and sockets this process may have open: a number, or `unlimited`. */
function descriptorLimit(): number | string {
  const report = process.report.getReport() as { userLimits?: { open_files: { soft: number | string } } } // as Node documents its report
  return report.userLimits?.open_files.soft ?? 'unlimited'
}
