import { randomBytes, randomInt } from 'node:crypto'
import type { Logger } from 'pino'
import type { RelayCall, RelayCandidate, RelayLeg } from './relay-call.ts'
import { SharedRelayState } from './shared-state.ts'
import type { RelayThread, StartRelayThread } from './spawn-relay-thread.ts'
import type { FromRelayThread, LegCredentials, LegIndex, RelayLimits, ToRelayThread } from './worker-protocol.ts'

/** A leg without a valid check for as long is dead: browsers check every few seconds at least. */
const MAX_IDLE_MS = 20_000
/** So is one from which no check came at all. */
const MAX_FIRST_CHECK_MS = 30_000
const LIVENESS_INTERVAL_MS = 1_000
/** After the port could not be bound, or the thread has died, it is not started again before this. */
const BIND_RETRY_DELAY_MS = 10_000
const RESTART_DELAY_MS = 1_000
/** A thread that is told to stop has this long to close its sockets. */
const STOP_TIMEOUT_MS = 2_000
/** Free ports are taken from those that no system gives to outgoing connections. */
const FREE_PORTS = [10_000, 32_767] as const

export interface RelayWorkerOptions {
  log: Logger
  addresses: readonly string[]
  hosts: readonly string[]
  /** null for a free port. */
  port: number | null
  maxCalls: number
  limits: RelayLimits
  now: () => number
  startThread: StartRelayThread
}

interface OpenCall {
  onDead: (leg: LegIndex) => void
  openedAt: number
}

/** What belongs to one life of the thread. */
interface RunningThread {
  thread: RelayThread
  state: SharedRelayState
  port: number
  calls: Map<number, OpenCall>
  freeSlots: number[]
  /** Whether it is listening, once that is known. */
  ready: PromiseWithResolvers<boolean>
  stopped: PromiseWithResolvers<void>
}

/** The main thread's side of one relay worker: its calls, their credentials and their liveness. */
export class RelayWorker {
  private readonly options: RelayWorkerOptions
  private running: RunningThread | null = null
  private livenessTimer: NodeJS.Timeout | null = null
  private startableAt = Number.NEGATIVE_INFINITY
  private isClosed = false

  constructor(options: RelayWorkerOptions) {
    this.options = options
  }

  get callCount(): number {
    return this.running?.calls.size ?? 0
  }

  /** The shared memory of the running thread; null before its start. */
  get state(): SharedRelayState | null {
    return this.running?.state ?? null
  }

  /** Starts the thread. Resolves to whether its port could be bound. */
  warmUp(): Promise<boolean> {
    return this.start()?.ready.promise ?? Promise.resolve(false)
  }

  /** Opens a call; see `Relay.openCall`. */
  openCall(onDead: (leg: LegIndex) => void): RelayCall | null {
    const running = this.start()
    const slot = running?.freeSlots.pop()
    if (!running || slot === undefined) return null
    const credentials: [LegCredentials, LegCredentials] = [createCredentials(), createCredentials()]
    running.state.open(slot)
    running.calls.set(slot, { onDead, openedAt: this.options.now() })
    running.thread.post({ kind: 'open', slot, credentials })
    this.watchLiveness()
    return this.createCall(running, slot, credentials)
  }

  /** Closes all calls and ends the thread. */
  async close(): Promise<void> {
    this.isClosed = true
    const { running } = this
    if (!running) return
    for (const slot of [...running.calls.keys()]) this.closeCall(running, slot)
    running.thread.post({ kind: 'stop' })
    const timer = setTimeout(() => running.thread.terminate(), STOP_TIMEOUT_MS)
    await running.stopped.promise
    clearTimeout(timer)
  }

  private createCall(running: RunningThread, slot: number, credentials: [LegCredentials, LegCredentials]): RelayCall {
    const { addresses, now } = this.options
    let isOpen = true
    const post = (message: ToRelayThread) => {
      if (isOpen) running.thread.post(message)
    }
    const createLeg = (leg: LegIndex): RelayLeg => ({
      get credentials() {
        return credentials[leg]
      },
      restart: () => {
        credentials[leg] = createCredentials()
        post({ kind: 'restart', slot, leg, credentials: credentials[leg] })
        return credentials[leg]
      },
      idleMs: () => (isOpen ? running.state.idleMs(slot, leg, now()) : null),
    })
    return {
      candidates: createCandidates(addresses, running.port),
      legs: [createLeg(0), createLeg(1)],
      close: () => {
        if (isOpen) this.closeCall(running, slot)
        isOpen = false
      },
    }
  }

  private closeCall(running: RunningThread, slot: number): void {
    if (!running.calls.delete(slot)) return
    running.state.close(slot)
    // The slot is free again once the thread has forgotten the call.
    running.thread.post({ kind: 'close', slot })
    if (running.calls.size === 0) this.stopWatching()
  }

  /** The running thread; starts one unless it has just failed. */
  private start(): RunningThread | null {
    if (this.running) return this.running
    const { options } = this
    if (this.isClosed || options.now() < this.startableAt) return null
    const { maxCalls, limits } = options
    const state = new SharedRelayState(maxCalls)
    const port = options.port ?? randomInt(FREE_PORTS[0], FREE_PORTS[1] + 1)
    const thread = options.startThread(
      { buffer: state.buffer, maxCalls, port, hosts: [...options.hosts], limits },
      {
        onMessage: (message) => this.handleMessage(running, message),
        onExit: (error) => this.handleExit(running, error),
      },
    )
    const running: RunningThread = {
      ...{ thread, state, port },
      calls: new Map(),
      freeSlots: Array.from({ length: maxCalls }, (_, index) => maxCalls - 1 - index),
      ready: Promise.withResolvers(),
      stopped: Promise.withResolvers(),
    }
    this.running = running
    return running
  }

  private handleMessage(running: RunningThread, message: FromRelayThread): void {
    const { log, addresses } = this.options
    switch (message.kind) {
      case 'listening':
        log.info({ addresses, port: running.port }, 'the relay of calls listens')
        running.ready.resolve(true)
        return
      case 'bindFailed':
        log.error(
          { host: message.host, port: message.port, code: message.code },
          'calls are refused: MEYDAN_RELAY_PORT should be a free port of UDP and TCP, and MEYDAN_RELAY_HOST an own address',
        )
        return
      case 'freed':
        running.freeSlots.push(message.slot)
        return
      case 'socketError':
        log.warn({ error: message.message }, 'a socket of the relay has failed')
    }
  }

  private handleExit(running: RunningThread, error: Error | null): void {
    running.ready.resolve(false)
    running.stopped.resolve()
    this.running = null
    this.stopWatching()
    if (this.isClosed) return
    this.startableAt = this.options.now() + (error ? RESTART_DELAY_MS : this.bindDelayMs)
    if (error) this.options.log.error({ err: error }, 'a worker of the relay has died')
    for (const [slot, { onDead }] of [...running.calls]) {
      running.state.close(slot)
      running.calls.delete(slot)
      onDead(0)
    }
  }

  /** A free port that was taken is replaced by another one at once. */
  private get bindDelayMs(): number {
    return this.options.port === null ? 0 : BIND_RETRY_DELAY_MS
  }

  private watchLiveness(): void {
    this.livenessTimer ??= setInterval(() => this.endDeadCalls(), LIVENESS_INTERVAL_MS).unref()
  }

  private stopWatching(): void {
    if (this.livenessTimer) clearInterval(this.livenessTimer)
    this.livenessTimer = null
  }

  private endDeadCalls(): void {
    const { running } = this
    if (!running) return
    const now = this.options.now()
    for (const [slot, { openedAt, onDead }] of [...running.calls]) {
      const dead = ([0, 1] as const).find((leg) => {
        const idleMs = running.state.idleMs(slot, leg, now)
        return idleMs === null ? now - openedAt > MAX_FIRST_CHECK_MS : idleMs > MAX_IDLE_MS
      })
      if (dead === undefined) continue
      this.closeCall(running, slot)
      onDead(dead)
    }
  }
}

/** 48 and 144 random bits; RFC 8445, 5.3 asks for 24 and 128. Base64's characters are those of ICE. */
function createCredentials(): LegCredentials {
  return { usernameFragment: randomBytes(6).toString('base64'), password: randomBytes(18).toString('base64') }
}

function createCandidates(addresses: readonly string[], port: number): RelayCandidate[] {
  return (['udp', 'tcp'] as const).flatMap((transport) => addresses.map((address) => ({ transport, address, port })))
}
