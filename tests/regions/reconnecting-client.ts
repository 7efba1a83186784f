import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import { Refusal, type RefusalCode } from '../../src/shared/protocol/refusals.ts'
import type { Message } from '../../src/shared/room-chat/message.ts'
import { ConnectionClosedError } from '../drivers/live-connection.ts'
import { RegionClient, type RegionSession } from './region-client.ts'

/** The refusals after which a browser keeps a message in its outbox and sends it again. */
const RETRYABLE_REFUSALS = new Set<RefusalCode>(['RegionCut', 'ShuttingDown', 'Busy'])
/** Longer than any region takes to restart. */
const RECOVERY_TIMEOUT_MS = 90_000
/** The interval keeps the messages that a reconnecting client has missed below the limit of a replay. */
const SEND_INTERVAL_MS = 20

/**
 * A client that retries as a browser does: it sends a message again, under the same id, after a temporary refusal or a
 * closed connection, and reconnects with its cursor to the first region that accepts it.
 */
export class ReconnectingClient {
  /** The answered messages, with the time of the answer (performance.now()). */
  readonly answered: { content: string; at: number }[] = []
  /** The times of temporary refusals (performance.now()). */
  readonly refusedAt: number[] = []
  /** How often a reconnection got no replay. */
  resyncCount = 0
  private readonly regions: RegionProcess[]
  private readonly earlierMessages: Message[] = []
  private client: RegionClient
  private isSending = true

  private constructor(regions: RegionProcess[], client: RegionClient) {
    this.regions = regions
    this.client = client
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

  /** The messages received over all connections, in order of arrival. */
  receivedMessages(): Message[] {
    return [...this.earlierMessages, ...this.client.receivedMessages()]
  }

  /** Sends messages one after another until `stopSending`. */
  async sendContinuously(): Promise<void> {
    for (let i = 0; this.isSending; i++) {
      await this.sendMessage(`${this.session.username} ${i}`)
      await pause(SEND_INTERVAL_MS)
    }
  }

  stopSending(): void {
    this.isSending = false
  }

  /** Sends until it is answered. Throws on a refusal that is not temporary. */
  async sendMessage(content: string): Promise<void> {
    const clientId = randomUUID()
    await pollUntil(`${content} is answered`, () => this.trySendMessage(content, clientId), RECOVERY_TIMEOUT_MS)
  }

  /** The longest time between two answers, and the time from the first refusal to the last. */
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
      await pollUntil(`${this.session.username} reconnects`, () => this.reconnect(), RECOVERY_TIMEOUT_MS)
    }
    return false
  }

  private async reconnect(): Promise<boolean> {
    for (const region of this.regions) {
      const { session, connection } = this.client
      const client = await RegionClient.connect(region, session, connection.cursor).catch(() => null)
      if (!client) continue
      this.earlierMessages.push(...this.client.receivedMessages())
      if (!client.resumed) this.resyncCount++
      this.client = client
      return true
    }
    return false
  }
}
