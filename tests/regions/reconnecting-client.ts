import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import { Refusal, type RefusalCode } from '../../src/shared/protocol/refusals.ts'
import type { Message } from '../../src/shared/room-chat/message.ts'
import { ConnectionClosedError } from '../drivers/live-connection.ts'
import { RegionClient, type RegionSession } from './region-client.ts'

/** What a browser keeps in its outbox and sends again. */
const RETRYABLE_REFUSALS = new Set<RefusalCode>(['RegionCut', 'ShuttingDown', 'Busy'])
/** Longer than any region takes to come back. */
const RECOVERY_TIMEOUT_MS = 90_000
/** Between two words of one person: so that nobody who comes back has missed more than is replayed. */
const SEND_INTERVAL_MS = 20

/**
 * Somebody who goes on as a browser does: sends again, under the same id, what was refused for the moment or broke off,
 * and comes back with a cursor, to the first of the regions that lets them in.
 */
export class ReconnectingClient {
  /** What was answered, and when (performance.now()). */
  readonly answered: { content: string; at: number }[] = []
  /** When something was refused for the moment. */
  readonly refusedAt: number[] = []
  /** How often the log could not tell what was missed. */
  resyncCount = 0
  private readonly regions: RegionProcess[]
  private readonly earlierMessages: Message[] = []
  private client: RegionClient
  private isSending = true

  private constructor(regions: RegionProcess[], person: RegionClient) {
    this.regions = regions
    this.client = person
  }

  static async connect(
    regions: [RegionProcess, ...RegionProcess[]],
    session: RegionSession,
  ): Promise<ReconnectingClient> {
    return new ReconnectingClient(regions, await RegionClient.connect(regions[0], session))
  }

  get session(): RegionSession {
    return this.client.session
  }

  /** What was heard over all lines, in the order of hearing. */
  receivedMessages(): Message[] {
    return [...this.earlierMessages, ...this.client.receivedMessages()]
  }

  /** Says one thing after another until told to stop. */
  async sendContinuously(): Promise<void> {
    for (let i = 0; this.isSending; i++) {
      await this.sendMessage(`${this.session.username} ${i}`)
      await pause(SEND_INTERVAL_MS)
    }
  }

  stopSending(): void {
    this.isSending = false
  }

  /** Resolves when it is answered, however often it has to be sent. Throws when it is refused for good. */
  async sendMessage(content: string): Promise<void> {
    const clientId = randomUUID()
    await pollUntil(`${content} is answered`, () => this.trySendMessage(content, clientId), RECOVERY_TIMEOUT_MS)
  }

  /** The longest time between two answers, and from the first refusal to the last, in milliseconds. */
  measureWaits(): { longestGapMs: number; refusedForMs: number } {
    const gaps = this.answered.map(({ at }, i) => at - (this.answered[i - 1]?.at ?? at))
    return {
      longestGapMs: Math.max(0, ...gaps),
      refusedForMs: (this.refusedAt.at(-1) ?? 0) - (this.refusedAt[0] ?? 0),
    }
  }

  private async trySendMessage(content: string, clientId: string): Promise<boolean> {
    try {
      const outcome = await this.client.trySendMessage(content, clientId)
      if (!(outcome instanceof Refusal)) return this.answered.push({ content, at: performance.now() }) > 0
      if (!RETRYABLE_REFUSALS.has(outcome.body.code)) throw new Error(`${content} was refused: ${outcome.body.code}`)
      this.refusedAt.push(performance.now())
    } catch (error) {
      if (!(error instanceof ConnectionClosedError)) throw error
      await pollUntil(`${this.session.username} comes back`, () => this.reconnect(), RECOVERY_TIMEOUT_MS)
    }
    return false
  }

  private async reconnect(): Promise<boolean> {
    for (const region of this.regions) {
      const { session, connection } = this.client
      const person = await RegionClient.connect(region, session, connection.cursor).catch(() => null)
      if (!person) continue
      this.earlierMessages.push(...this.client.receivedMessages())
      if (!person.resumed) this.resyncCount++
      this.client = person
      return true
    }
    return false
  }
}
