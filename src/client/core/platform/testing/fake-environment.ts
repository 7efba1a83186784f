import {
  type ClientValue,
  decodeClientFrame,
  encode,
  Kind,
  type Payload,
  type ServerValue,
} from '../../../../shared/protocol/frame.ts'
import type { RefusalBody } from '../../../../shared/protocol/refusals.ts'
import type { Theme } from '../../../../shared/settings/theme.ts'
import type { Environment, SafeStorage, SocketTransport, SocketTransportListener } from '../environment.ts'

/** The server's end of a WebSocket: records sent values, answers requests and breaks the connection. */
export class FakeTransport implements SocketTransport {
  readonly sent: ClientValue[] = []
  /** Called with each value that the client sends. */
  onSent: (value: ClientValue) => void = () => {}
  isOpen = true
  private readonly listener: SocketTransportListener

  constructor(listener: SocketTransportListener) {
    this.listener = listener
  }

  send(bytes: Uint8Array): void {
    if (!this.isOpen) return
    for (const value of decodeClientFrame(bytes) ??
      throwError('the client sent a frame that the server would not read')) {
      this.sent.push(value)
      this.onSent(value)
    }
  }

  close(): void {
    this.isOpen = false
  }

  accept(): void {
    this.listener.onOpen()
  }

  /** One frame from the server. */
  receive(...values: ServerValue[]): void {
    this.receiveBytes(Uint8Array.from(values.flatMap((value) => [...encode(value)])))
  }

  /** Receives values although the client has closed: they were in flight. */
  receiveBytes(bytes: Uint8Array): void {
    this.listener.onBytes(bytes)
  }

  /** Ends the connection, without a code as a lost network does. */
  drop(code = 1006): void {
    this.isOpen = false
    this.listener.onClose(code)
  }

  /** The latest request of that name. */
  request(name: string): { id: number; input: Payload } {
    const found = this.sent.findLast((value) => value[0] === Kind.request && value[2] === name)
    if (found?.[0] !== Kind.request) throw new Error(`the client did not send ${name}`)
    return { id: found[1], input: found[3] }
  }

  count(name: string): number {
    return this.sent.filter((value) => value[0] === Kind.request && value[2] === name).length
  }

  answer(name: string, answer: Payload): void {
    this.receive([Kind.answer, this.request(name).id, answer])
  }

  refuse(name: string, refusal: RefusalBody): void {
    this.receive([Kind.refusal, this.request(name).id, refusal])
  }
}

interface Timer {
  at: number
  order: number
  run: () => void
}

/** A browser in memory; the test controls its clock, network and storage. */
export class FakeEnvironment implements Environment {
  readonly transports: FakeTransport[] = []
  readonly navigations: string[] = []
  readonly reportedErrors: string[] = []
  readonly httpRequests: { path: string; authorization: string | null }[] = []
  /** Called with each new transport. */
  onTransport: (wire: FakeTransport) => void = () => {}
  /** Answers the client's HTTP requests; it may throw, as a network does. */
  respond: (path: string) => Response | Promise<Response> = () => new Response(null, { status: 404 })
  readonly tabStorage: SafeStorage & { kept: Map<string, string> }
  readonly browserStorage: SafeStorage & { kept: Map<string, string> }
  serverTheme: Theme = 'dark'
  pagePath = '/room/1'
  private clock = Date.parse('2026-01-01T12:00:00Z')
  private timers: Timer[] = []
  private counter = 0
  private wakeListeners: (() => void)[] = []
  private offlineListeners: (() => void)[] = []
  private pageHideListeners: (() => void)[] = []
  private storageListeners: ((key: string | null) => void)[] = []

  /** @param before the environment of the reloaded page, whose storage is kept */
  constructor(before?: FakeEnvironment) {
    this.tabStorage = createMemoryStorage(before?.tabStorage.kept ?? new Map())
    this.browserStorage = createMemoryStorage(before?.browserStorage.kept ?? new Map())
    this.clock = before?.clock ?? this.clock
    this.counter = before?.counter ?? 0
  }

  /** The transport that is open or opening. */
  get transport(): FakeTransport {
    return this.transports.at(-1) ?? throwError('the client opened no wire')
  }

  openTransport = (listener: SocketTransportListener): SocketTransport => {
    const wire = new FakeTransport(listener)
    this.transports.push(wire)
    this.onTransport(wire)
    return wire
  }

  fetch = async (path: string, init: RequestInit): Promise<Response> => {
    this.httpRequests.push({ path, authorization: new Headers(init.headers).get('Authorization') })
    return this.respond(path)
  }

  setTimer = (ms: number, run: () => void) => {
    const timer = { at: this.clock + ms, order: this.counter++, run }
    this.timers.push(timer)
    return () => {
      this.timers = this.timers.filter((other) => other !== timer)
    }
  }

  enqueueTask = (run: () => void): void => void flushPromises(10).then(run)
  now = (): number => this.clock
  random = (): number => 0.5
  uuid = (): string => `00000000-0000-4000-8000-${String(++this.counter).padStart(12, '0')}`
  isMobile = (): boolean => false
  renderedTheme = (): Theme => this.serverTheme
  currentPath = (): string => this.pagePath
  navigateTo = (path: string): void => {
    this.navigations.push(path)
  }
  onWake = (run: () => void): void => {
    this.wakeListeners.push(run)
  }
  onOffline = (run: () => void): void => {
    this.offlineListeners.push(run)
  }
  onPageHide = (run: () => void): void => {
    this.pageHideListeners.push(run)
  }
  onStorageChange = (run: (key: string | null) => void): void => {
    this.storageListeners.push(run)
  }
  reportError = (what: string): void => {
    this.reportedErrors.push(what)
  }

  /** Advances the time: runs each due timer in order, and the promises that it resolves. */
  async advance(ms: number): Promise<void> {
    const end = this.clock + ms
    await flushPromises()
    for (let timer = this.nextTimer(end); timer; timer = this.nextTimer(end)) {
      this.timers = this.timers.filter((other) => other !== timer)
      this.clock = Math.max(this.clock, timer.at)
      timer.run()
      await flushPromises()
    }
    this.clock = end
  }

  /** The machine sleeps: time passes, and no timer runs. */
  sleep(ms: number): void {
    this.clock += ms
  }

  emitWake(): void {
    for (const run of this.wakeListeners) run()
  }

  emitOffline(): void {
    for (const run of this.offlineListeners) run()
  }

  hidePage(): void {
    for (const run of this.pageHideListeners) run()
  }

  /** Another tab of this browser writes to the storage that they share. */
  writeFromOtherTab(key: string, value: string | null): void {
    this.browserStorage.set(key, value)
    for (const run of this.storageListeners) run(key)
  }

  private nextTimer(end: number): Timer | undefined {
    return this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0]
  }
}

/** Runs all pending promise callbacks, and a task of `enqueueTask`. */
export async function flushPromises(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve()
}

function createMemoryStorage(kept: Map<string, string>): SafeStorage & { kept: Map<string, string> } {
  return {
    kept,
    get: (key) => kept.get(key) ?? null,
    set: (key, value) => void (value === null ? kept.delete(key) : kept.set(key, value)),
    clear: () => kept.clear(),
  }
}

function throwError(what: string): never {
  throw new Error(what)
}
