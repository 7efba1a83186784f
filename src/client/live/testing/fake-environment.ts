import {
  type ClientValue,
  decodeClientFrame,
  encode,
  Kind,
  type Payload,
  type ServerValue,
} from '../../../shared/protocol/frame.ts'
import type { RefusalBody } from '../../../shared/protocol/refusals.ts'
import type { Environment, Store, Theme, Wire, WireListener } from '../environment.ts'

/** The far end of one wire: what the client sent, and ways to answer it and to break it. */
export class FakeWire implements Wire {
  readonly sent: ClientValue[] = []
  /** Called with each value that the client sends. */
  onSent: (value: ClientValue) => void = () => {}
  isOpen = true
  private readonly listener: WireListener

  constructor(listener: WireListener) {
    this.listener = listener
  }

  send(bytes: Uint8Array): void {
    if (!this.isOpen) return
    for (const value of decodeClientFrame(bytes) ?? fail('the client sent a frame that the server would not read')) {
      this.sent.push(value)
      this.onSent(value)
    }
  }

  close(): void {
    this.isOpen = false
  }

  accept(): void {
    this.listener.opened()
  }

  /** One frame from the server. */
  receive(...values: ServerValue[]): void {
    this.receiveBytes(Uint8Array.from(values.flatMap((value) => [...encode(value)])))
  }

  /** What is on its way may arrive though the client has closed the wire. */
  receiveBytes(bytes: Uint8Array): void {
    this.listener.received(bytes)
  }

  /** The line ends; without a code as a broken network ends it. */
  drop(code = 1006): void {
    this.isOpen = false
    this.listener.closed(code)
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

/** A browser in memory, whose clock, network and storage the test moves by hand. */
export class FakeEnvironment implements Environment {
  readonly wires: FakeWire[] = []
  readonly wentTo: string[] = []
  readonly reports: string[] = []
  readonly posted: { path: string; authorization: string | null }[] = []
  /** Called with each wire when the client opens it. */
  onWire: (wire: FakeWire) => void = () => {}
  /** Answers the client's HTTP requests; it may throw, as a network does. */
  respond: (path: string) => Response | Promise<Response> = () => new Response(null, { status: 404 })
  readonly tab: Store & { kept: Map<string, string> }
  readonly browser: Store & { kept: Map<string, string> }
  theme: Theme = 'dark'
  shownPath = '/room/1'
  private clock = Date.parse('2026-01-01T12:00:00Z')
  private timers: Timer[] = []
  private made = 0
  private wakers: (() => void)[] = []
  private leavers: (() => void)[] = []
  private changeListeners: ((key: string | null) => void)[] = []

  /** @param before the page that this one is a reload of: it has left its storage behind */
  constructor(before?: FakeEnvironment) {
    this.tab = storeIn(before?.tab.kept ?? new Map())
    this.browser = storeIn(before?.browser.kept ?? new Map())
    this.clock = before?.clock ?? this.clock
    this.made = before?.made ?? 0
  }

  /** The wire that is open or being opened. */
  get wire(): FakeWire {
    return this.wires.at(-1) ?? fail('the client opened no wire')
  }

  openWire = (listener: WireListener): Wire => {
    const wire = new FakeWire(listener)
    this.wires.push(wire)
    this.onWire(wire)
    return wire
  }

  fetch = async (path: string, init: RequestInit): Promise<Response> => {
    this.posted.push({ path, authorization: new Headers(init.headers).get('Authorization') })
    return this.respond(path)
  }

  after = (ms: number, run: () => void) => {
    const timer = { at: this.clock + ms, order: this.made++, run }
    this.timers.push(timer)
    return () => {
      this.timers = this.timers.filter((other) => other !== timer)
    }
  }

  now = (): number => this.clock
  random = (): number => 0.5
  uuid = (): string => `00000000-0000-4000-8000-${String(++this.made).padStart(12, '0')}`
  isMobile = (): boolean => false
  shownTheme = (): Theme => this.theme
  path = (): string => this.shownPath
  goTo = (path: string): void => {
    this.wentTo.push(path)
  }
  onWake = (run: () => void): void => {
    this.wakers.push(run)
  }
  onLeave = (run: () => void): void => {
    this.leavers.push(run)
  }
  onBrowserChange = (run: (key: string | null) => void): void => {
    this.changeListeners.push(run)
  }
  report = (what: string): void => {
    this.reports.push(what)
  }

  /** Lets time pass: every timer that is due runs, in its order, and what it began goes on. */
  async advance(ms: number): Promise<void> {
    const end = this.clock + ms
    await settled()
    for (let timer = this.nextTimer(end); timer; timer = this.nextTimer(end)) {
      this.timers = this.timers.filter((other) => other !== timer)
      this.clock = Math.max(this.clock, timer.at)
      timer.run()
      await settled()
    }
    this.clock = end
  }

  /** The machine sleeps: time passes, and no timer runs. */
  sleep(ms: number): void {
    this.clock += ms
  }

  wake(): void {
    for (const run of this.wakers) run()
  }

  leave(): void {
    for (const run of this.leavers) run()
  }

  /** Another tab of this browser writes to the storage that they share. */
  writeElsewhere(key: string, value: string | null): void {
    this.browser.set(key, value)
    for (const run of this.changeListeners) run(key)
  }

  private nextTimer(end: number): Timer | undefined {
    return this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0]
  }
}

/** Lets every promise that can go on go on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

function storeIn(kept: Map<string, string>): Store & { kept: Map<string, string> } {
  return {
    kept,
    get: (key) => kept.get(key) ?? null,
    set: (key, value) => void (value === null ? kept.delete(key) : kept.set(key, value)),
    clear: () => kept.clear(),
  }
}

function fail(what: string): never {
  throw new Error(what)
}
