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
import { findFloodAddress, isTextEvent, readFloodTexts } from './flood-texts.ts'
import { type Flood, FloodWatch } from './flood-watch.ts'
import { raiseFloodAlert } from './raise-flood-alert.ts'

/**
 * Watches on the primary what the accounts of an address write, and raises an alert for a flood. A commit counts messages
 * only; the read worker looks at the texts of an address from which several accounts write.
 */
export class FloodAlarm {
  private readonly appContext: Pick<AppContext, 'clock' | 'execute' | 'reader' | 'readInWorker'>
  private readonly watch = new FloodWatch()
  private readonly fingerprintByUser = new LRUCache<UserId, string>({
    ...atMostEntries(10 * MAX_FLOOD_FINGERPRINTS),
    ttl: FLOOD_WINDOW_MS,
  })
  private counts = new Map<UserId, { messageCount: number; firstSeq: number }>()
  private lastSeq = 0

  constructor(appContext: Pick<AppContext, 'clock' | 'execute' | 'reader' | 'readInWorker'>) {
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
    const written = new Set<string>()
    for (const [userId, counted] of counts) {
      const fingerprint = this.fingerprintOf(userId)
      if (fingerprint === null) continue
      written.add(fingerprint)
      await this.raise(this.watch.count({ ...counted, fingerprint, userId, at: this.appContext.clock() }))
    }
    for (const fingerprint of written) await this.lookAtTexts(fingerprint, lastSeq)
  }

  private fingerprintOf(userId: UserId): string | null {
    const known = this.fingerprintByUser.get(userId)
    if (known !== undefined) return known
    const fingerprint = findFloodAddress(this.appContext.reader, userId)
    if (fingerprint !== null) this.fingerprintByUser.set(userId, fingerprint)
    return fingerprint
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
