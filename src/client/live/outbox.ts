import type { CommandAnswer, CommandInput, CommandName } from '../../shared/protocol/catalogue.ts'
import { Refusal, type RefusalBody, type RefusalCode } from '../../shared/protocol/refusals.ts'
import { signal } from '../signal.ts'
import type { Environment } from './environment.ts'
import type { Live } from './live.ts'
import type { Outcome } from './socket.ts'

const MOST_ENTRIES = 100
const FULL = 'Gönderilmeyi bekleyen çok fazla mesaj var. Lütfen bağlantının düzelmesini bekleyin.'
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** Refusals that say nothing of the command: the same one may well be taken later. */
const TEMPORARY: ReadonlySet<RefusalCode> = new Set([
  'Busy',
  'Maintenance',
  'RegionCut',
  'ShuttingDown',
  'RateLimited',
] as const)

/** The commands that write and carry a `clientId`: what must happen once, however often it is sent. */
export type WriteName = {
  [N in CommandName]: 'clientId' extends keyof CommandInput<N> ? N : never
}[CommandName]

/** A write that the server has not answered yet. */
export interface Entry<N extends WriteName = WriteName> {
  clientId: string
  name: N
  input: CommandInput<N>
  /** Epoch milliseconds by the server's clock, as this browser knows it. */
  createdAt: number
  /** Why it failed, in Turkish; null while it is under way or waits. */
  failure: string | null
}

/** What a feature knows of its writes. */
export interface Sender<N extends WriteName> {
  /** Entries of one lane go out one after another, in their order. */
  lane(input: CommandInput<N>): string
  /** Whether it may go out now. */
  isReady(input: CommandInput<N>): boolean
  /** Called before the entry is forgotten. */
  answered(entry: Entry<N>, answer: CommandAnswer<N>): void
  /** After how many milliseconds a refused entry is sent again; null when it has failed. */
  retryAfter(entry: Entry<N>, refusal: RefusalBody): number | null
  /** The server could not attend to it: it waits, and is sent again by itself. */
  waits?(entry: Entry<N>, refusal: RefusalBody): void
  /** What is shown when no answer came. */
  unanswered: string
}

/** Keeps writing commands until they are answered, over lost lines and reloads, and sends each again with its `clientId`. */
export class Outbox {
  /** In the order in which they were put in. */
  readonly entries = signal<readonly Entry[]>([])

  private readonly environment: Environment
  private readonly live: Live
  private readonly senders = new Map<WriteName, Sender<WriteName>>()
  /** Entries that are on the line, or pause before they go out again. */
  private readonly busy = new Set<string>()
  private readonly tries = new Map<string, number>()
  private userId: number | null = null

  constructor(environment: Environment, live: Live) {
    this.environment = environment
    this.live = live
    live.onConnected(() => this.flush())
  }

  /** Says how entries of this name are sent. */
  register<N extends WriteName>(name: N, sender: Sender<N>): void {
    this.senders.set(name, sender as unknown as Sender<WriteName>) // an entry meets the sender of its own name only
  }

  /** Takes up what this person's tab left unsent at its last reload; another person's is dropped. */
  open(userId: number): void {
    if (this.userId === userId) return
    this.userId = userId
    this.entries.value = this.restored()
    this.flush()
  }

  /** Keeps a write and sends it as soon as it can be. The refusal says that too many wait already. */
  put<N extends WriteName>(name: N, input: CommandInput<N> & { clientId: string }): Refusal | null {
    const entries = this.entries.peek()
    if (entries.length >= MOST_ENTRIES) return new Refusal({ code: 'Busy', message: FULL })
    const createdAt = this.live.serverNow()
    this.keep([...entries, { clientId: input.clientId, name, input, createdAt, failure: null }])
    this.flush()
    return null
  }

  /** Sends a failed entry again, after those that wait. */
  retry(clientId: string): void {
    const entry = this.find(clientId)
    if (!entry?.failure) return
    this.keep([...this.without(clientId), { ...entry, createdAt: this.live.serverNow(), failure: null }])
    this.flush()
  }

  /** Forgets an entry: it was given up, or an event has shown that it is done. */
  remove(clientId: string): void {
    if (!this.find(clientId)) return
    this.tries.delete(clientId)
    this.keep(this.without(clientId))
    this.flush()
  }

  /** Forgets everything: whoever wrote it was shut out. */
  forget(): void {
    this.tries.clear()
    this.keep([])
  }

  /** Sends the first entry of each lane, unless it is on its way already. */
  flush(): void {
    if (!this.live.isConnected()) return
    const lanes = new Set<string>()
    for (const entry of this.entries.peek()) {
      const sender = this.senders.get(entry.name)
      if (!sender || entry.failure !== null) continue
      const lane = sender.lane(entry.input)
      const isFirst = !lanes.has(lane)
      lanes.add(lane)
      if (isFirst && !this.busy.has(entry.clientId) && sender.isReady(entry.input)) void this.send(entry, sender)
    }
  }

  private async send(entry: Entry, sender: Sender<WriteName>): Promise<void> {
    this.busy.add(entry.clientId)
    const outcome = await this.live.request(entry.name, entry.input)
    this.busy.delete(entry.clientId)
    if (outcome === 'lost') return this.flush()
    if (this.find(entry.clientId)) this.settle(entry, sender, outcome)
    this.flush()
  }

  private settle(entry: Entry, sender: Sender<WriteName>, outcome: Exclude<Outcome<WriteName>, 'lost'>): void {
    if (outcome === 'late') this.fail(entry, sender.unanswered)
    else if (outcome instanceof Refusal) this.refused(entry, sender, outcome.body)
    else {
      sender.answered(entry, outcome)
      this.remove(entry.clientId)
    }
  }

  private refused(entry: Entry, sender: Sender<WriteName>, refusal: RefusalBody): void {
    const pause = this.pauseAfter(entry, refusal)
    if (pause !== null) sender.waits?.(entry, refusal)
    const wait = pause ?? sender.retryAfter(entry, refusal)
    if (wait === null) this.fail(entry, refusal.message)
    else this.pause(entry, wait)
  }

  /** How long to wait when the server could not attend to it; null when it did, and refused. */
  private pauseAfter({ clientId }: Entry, { code, waitMs }: RefusalBody): number | null {
    if (!TEMPORARY.has(code)) return null
    const tries = this.tries.get(clientId) ?? 0
    this.tries.set(clientId, tries + 1)
    const backoff = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS)
    return (waitMs ?? backoff) * (1 + this.environment.random() / 4)
  }

  private pause({ clientId }: Entry, ms: number): void {
    this.busy.add(clientId)
    this.environment.after(ms, () => {
      this.busy.delete(clientId)
      this.flush()
    })
  }

  private fail(entry: Entry, failure: string): void {
    this.tries.delete(entry.clientId)
    this.keep(this.entries.peek().map((other) => (other.clientId === entry.clientId ? { ...other, failure } : other)))
  }

  private find(clientId: string): Entry | undefined {
    return this.entries.peek().find((entry) => entry.clientId === clientId)
  }

  private without(clientId: string): Entry[] {
    return this.entries.peek().filter((entry) => entry.clientId !== clientId)
  }

  private keep(entries: readonly Entry[]): void {
    this.entries.value = entries
    const stored = entries.length ? JSON.stringify({ userId: this.userId, entries }) : null
    this.environment.tab.set('outbox', stored)
  }

  private restored(): readonly Entry[] {
    try {
      const stored = JSON.parse(this.environment.tab.get('outbox') ?? 'null')
      // Only `keep` writes it, and it holds for this tab alone.
      return stored?.userId === this.userId ? (stored.entries as Entry[]) : []
    } catch {
      return []
    }
  }
}
