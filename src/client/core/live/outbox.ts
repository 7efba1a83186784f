import type { CommandAnswer, CommandInput, CommandName } from '../../../shared/protocol/catalogue.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, type RefusalBody, type RefusalCode } from '../../../shared/protocol/refusals.ts'
import type { Environment } from '../platform/environment.ts'
import { signal } from '../signals/signal.ts'
import type { LiveClient } from './live-client.ts'
import type { Outcome } from './socket.ts'

const MAX_ENTRIES = 100
const OUTBOX_FULL = 'Gönderilmeyi bekleyen çok fazla mesaj var. Lütfen bağlantının düzelmesini bekle.'
const MIN_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000
/** Refusals that do not depend on the command: a retry may succeed. */
export const TEMPORARY_REFUSALS: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'Busy',
  'Maintenance',
  'RegionCut',
  'ShuttingDown',
  'RateLimited',
  'StorageFull',
])

/** The commands that write and carry a `clientId`: they have one effect, however often they are sent. */
export type OutboxCommandName = {
  [N in CommandName]: 'clientId' extends keyof CommandInput<N> ? N : never
}[CommandName]

/** A write that the server has not answered yet. */
export interface OutboxEntry<N extends OutboxCommandName = OutboxCommandName> {
  clientId: string
  name: N
  input: CommandInput<N>
  /** Epoch milliseconds by the server's clock, as this browser knows it. */
  createdAt: number
  /** Why it failed, in Turkish; null while it is under way or waits. */
  failure: string | null
}

/** How a feature sends its writes. */
interface OutboxHandler<N extends OutboxCommandName> {
  /** Entries of one lane are sent in order, one at a time. */
  lane(input: CommandInput<N>): string
  /** Whether it may be sent now. */
  canSend(input: CommandInput<N>): boolean
  /** Sends an entry in another way, for instance after an upload; undefined sends its input unchanged. */
  request?(entry: OutboxEntry<N>): Promise<Outcome<N>> | undefined
  /** Called before the entry is deleted. */
  onAnswered(entry: OutboxEntry<N>, answer: CommandAnswer<N>): void
  /** Milliseconds until a refused entry is retried; null when it has failed. */
  retryDelayMs(entry: OutboxEntry<N>, refusal: RefusalBody): number | null
  /** Called when the server is busy: the entry waits for an automatic retry. */
  onDelayed?(entry: OutboxEntry<N>, refusal: RefusalBody): void
  /** The Turkish text when no answer came. */
  timeoutMessage: string
}

/** Stores write commands until they are answered, across reconnects and reloads; retries carry the same `clientId`. */
export class Outbox {
  /** In the order in which they were added. */
  readonly entries = signal<readonly OutboxEntry[]>([])

  private readonly environment: Environment
  private readonly live: LiveClient
  private readonly handlers = new Map<OutboxCommandName, OutboxHandler<OutboxCommandName>>()
  /** Entries that are in flight or wait for a retry. */
  private readonly inFlight = new Set<string>()
  private readonly attempts = new Map<string, number>()
  private userId: UserId | null = null

  constructor(environment: Environment, live: LiveClient) {
    this.environment = environment
    this.live = live
    live.onConnected(() => this.flush())
  }

  /** Registers how entries of this name are sent. */
  register<N extends OutboxCommandName>(name: N, sender: OutboxHandler<N>): void {
    this.handlers.set(name, sender as unknown as OutboxHandler<OutboxCommandName>) // an entry meets the sender of its own name only
  }

  /** Restores this user's unsent entries after a reload; another user's are dropped. */
  restoreFor(userId: UserId): void {
    if (this.userId === userId) return
    this.userId = userId
    this.entries.value = this.readStored()
    this.flush()
  }

  /** Stores a write and sends it as soon as possible. Refuses when too many wait. */
  enqueue<N extends OutboxCommandName>(name: N, input: CommandInput<N> & { clientId: string }): Refusal | null {
    const entries = this.entries.peek()
    if (entries.length >= MAX_ENTRIES) return new Refusal({ code: 'Busy', message: OUTBOX_FULL })
    const createdAt = this.live.serverNow()
    this.saveEntries([...entries, { clientId: input.clientId, name, input, createdAt, failure: null }])
    this.flush()
    return null
  }

  /** Retries a failed entry, after those that wait. */
  retry(clientId: string): void {
    const entry = this.findEntry(clientId)
    if (!entry?.failure) return
    this.saveEntries([...this.entriesWithout(clientId), { ...entry, createdAt: this.live.serverNow(), failure: null }])
    this.flush()
  }

  /** Stores changes of an entry, e.g. what its next sending can use. */
  update(clientId: string, changes: Partial<Pick<OutboxEntry, 'input' | 'failure'>>): void {
    this.saveEntries(
      this.entries.peek().map((entry) => (entry.clientId === clientId ? { ...entry, ...changes } : entry)),
    )
  }

  /** Deletes an entry: the user discarded it, or an event confirmed it. */
  remove(clientId: string): void {
    if (!this.findEntry(clientId)) return
    this.attempts.delete(clientId)
    this.saveEntries(this.entriesWithout(clientId))
    this.flush()
  }

  /** Deletes all entries: their author's session has ended. */
  clear(): void {
    this.attempts.clear()
    this.saveEntries([])
  }

  /** Sends the first entry of each lane, unless it is in flight. */
  flush(): void {
    if (!this.live.isConnected()) return
    const lanes = new Set<string>()
    for (const entry of this.entries.peek()) {
      const sender = this.handlers.get(entry.name)
      if (!sender || entry.failure !== null) continue
      const lane = sender.lane(entry.input)
      const isFirst = !lanes.has(lane)
      lanes.add(lane)
      if (isFirst && !this.inFlight.has(entry.clientId) && sender.canSend(entry.input)) void this.send(entry, sender)
    }
  }

  private async send(entry: OutboxEntry, sender: OutboxHandler<OutboxCommandName>): Promise<void> {
    this.inFlight.add(entry.clientId)
    const outcome = await (sender.request?.(entry) ?? this.live.request(entry.name, entry.input))
    this.inFlight.delete(entry.clientId)
    if (outcome === 'disconnected') return this.flush()
    if (this.findEntry(entry.clientId)) this.applyOutcome(entry, sender, outcome)
    this.flush()
  }

  private applyOutcome(
    entry: OutboxEntry,
    sender: OutboxHandler<OutboxCommandName>,
    outcome: Exclude<Outcome<OutboxCommandName>, 'disconnected'>,
  ): void {
    if (outcome === 'timedOut') this.markFailed(entry, sender.timeoutMessage)
    else if (outcome instanceof Refusal) this.onRefused(entry, sender, outcome.body)
    else {
      sender.onAnswered(entry, outcome)
      this.remove(entry.clientId)
    }
  }

  private onRefused(entry: OutboxEntry, sender: OutboxHandler<OutboxCommandName>, refusal: RefusalBody): void {
    const pause = this.backoffMs(entry, refusal)
    if (pause !== null) sender.onDelayed?.(entry, refusal)
    const wait = pause ?? sender.retryDelayMs(entry, refusal)
    if (wait === null) this.markFailed(entry, refusal.message)
    else this.delayRetry(entry, wait)
  }

  /** Milliseconds until the retry after a temporary refusal; null for a final one. */
  private backoffMs({ clientId }: OutboxEntry, { code, waitMs }: RefusalBody): number | null {
    if (!TEMPORARY_REFUSALS.has(code)) return null
    const tries = this.attempts.get(clientId) ?? 0
    this.attempts.set(clientId, tries + 1)
    const backoff = Math.min(MIN_BACKOFF_MS * 2 ** tries, MAX_BACKOFF_MS)
    return (waitMs ?? backoff) * (1 + this.environment.random() / 4)
  }

  private delayRetry({ clientId }: OutboxEntry, ms: number): void {
    this.inFlight.add(clientId)
    this.environment.setTimer(ms, () => {
      this.inFlight.delete(clientId)
      this.flush()
    })
  }

  private markFailed(entry: OutboxEntry, failure: string): void {
    this.attempts.delete(entry.clientId)
    this.update(entry.clientId, { failure })
  }

  private findEntry(clientId: string): OutboxEntry | undefined {
    return this.entries.peek().find((entry) => entry.clientId === clientId)
  }

  private entriesWithout(clientId: string): OutboxEntry[] {
    return this.entries.peek().filter((entry) => entry.clientId !== clientId)
  }

  private saveEntries(entries: readonly OutboxEntry[]): void {
    this.entries.value = entries
    const stored = entries.length ? JSON.stringify({ userId: this.userId, entries }) : null
    this.environment.tabStorage.set('outbox', stored)
  }

  private readStored(): readonly OutboxEntry[] {
    try {
      const stored = JSON.parse(this.environment.tabStorage.get('outbox') ?? 'null')
      // Only this class writes it, and only for this tab.
      return stored?.userId === this.userId ? (stored.entries as OutboxEntry[]) : []
    } catch {
      return []
    }
  }
}
