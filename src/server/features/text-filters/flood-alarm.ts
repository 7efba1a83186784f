import { LRUCache } from 'lru-cache'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import {
  FLOOD_WINDOW_MS,
  MAX_FLOOD_EVENTS,
  MAX_FLOOD_FINGERPRINTS,
  MAX_FLOOD_QUEUE,
} from '../../../shared/text-filters/limits.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { LoggedEvent } from '../../kernel/database/events/logged-event.ts'
import { atMostEntries } from '../../kernel/limits/at-most-entries.ts'
import { isTextEvent, listFloodAddresses, readFloodTexts } from './flood-texts.ts'
import { type Flood, FloodWatch } from './flood-watch.ts'
import { raiseFloodAlert } from './raise-flood-alert.ts'

/**
 * Watches on the primary what the accounts of an address write, and raises an alert for a flood. A commit counts messages
 * only; the read worker looks at the texts of an address from which several accounts write.
 */
export class FloodAlarm {
  private readonly appContext: Pick<AppContext, 'clock' | 'execute' | 'readInWorker'>
  private readonly watch = new FloodWatch()
  /** null for root admins and where no address is known. */
  private readonly fingerprintByUser = new LRUCache<UserId, { fingerprint: string | null }>({
    ...atMostEntries(10 * MAX_FLOOD_FINGERPRINTS),
    ttl: FLOOD_WINDOW_MS,
  })
  private counts = new Map<UserId, { messageCount: number; firstSeq: number }>()
  private lastSeq = 0

  constructor(appContext: Pick<AppContext, 'clock' | 'execute' | 'readInWorker'>) {
    this.appContext = appContext
  }

  /** Counts the messages of a commit; those of further accounts than the bound are not counted. */
  onCommit(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      if (!isTextEvent(event)) continue
      this.lastSeq = event.seq
      const known = this.counts.get(event.actorId)
      if (known) known.messageCount++
      else if (this.counts.size < MAX_FLOOD_QUEUE)
        this.counts.set(event.actorId, { messageCount: 1, firstSeq: event.seq })
    }
  }

  /** Adds what was counted to the addresses, and looks at the texts where enough accounts write. */
  async run(): Promise<void> {
    const { counts, lastSeq } = this
    if (counts.size === 0) return
    this.counts = new Map()
    await this.findAddresses([...counts.keys()])
    const written = new Set<string>()
    for (const [userId, counted] of counts) {
      const fingerprint = this.fingerprintByUser.get(userId)?.fingerprint
      if (!fingerprint) continue
      written.add(fingerprint)
      await this.raise(this.watch.count({ ...counted, fingerprint, userId, at: this.appContext.clock() }))
    }
    for (const fingerprint of written) await this.lookAtTexts(fingerprint, lastSeq)
  }

  private async findAddresses(userIds: readonly UserId[]): Promise<void> {
    const unknown = userIds.filter((userId) => !this.fingerprintByUser.has(userId))
    if (unknown.length === 0) return
    const answer = await this.appContext.readInWorker(listFloodAddresses, { userIds: unknown })
    if (answer instanceof Refusal) return
    for (const [index, userId] of unknown.entries())
      this.fingerprintByUser.set(userId, { fingerprint: answer.fingerprints[index] ?? null })
  }

  private async lookAtTexts(fingerprint: string, upToSeq: number): Promise<void> {
    const unread = this.watch.unreadTexts(fingerprint)
    if (!unread) return
    const afterSeq = Math.max(unread.afterSeq, upToSeq - MAX_FLOOD_EVENTS)
    const answer = await this.appContext.readInWorker(readFloodTexts, { userIds: unread.userIds, afterSeq, upToSeq })
    if (answer instanceof Refusal) return
    for (const flood of this.watch.note(fingerprint, upToSeq, answer.texts)) await this.raise(flood)
  }

  private async raise(flood: Flood | null): Promise<void> {
    if (flood) await this.appContext.execute(raiseFloodAlert, null, flood)
  }
}
