import { LRUCache } from 'lru-cache'
import type { MessageId, UserId } from '../../../shared/protocol/ids.ts'
import { FLOOD_WINDOW_MS, MAX_FLOOD_FINGERPRINTS, MAX_FLOOD_QUEUE } from '../../../shared/text-filters/limits.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { decodeEventPayload, type LoggedEvent } from '../../kernel/database/events/logged-event.ts'
import { atMostEntries } from '../../kernel/limits/at-most-entries.ts'
import { fingerprintsOfUser } from '../../model/fingerprints/queries.ts'
import { FloodWatch } from './flood-watch.ts'
import { raiseFloodAlert } from './raise-flood-alert.ts'

interface Text {
  userId: UserId
  text: string
  isPrivate: boolean
  at: number
}

const watchedEvents: ReadonlySet<string> = new Set(['message', 'directMessage', 'postCommented'])

/**
 * Watches on the primary what the accounts of an address write, and raises an alert for a flood. The texts of a commit are
 * only queued, so that messages do not wait for it.
 */
export class FloodAlarm {
  private readonly appContext: AppContext
  private readonly watch = new FloodWatch()
  private readonly fingerprintByUser = new LRUCache<UserId, string>({
    ...atMostEntries(10 * MAX_FLOOD_FINGERPRINTS),
    ttl: FLOOD_WINDOW_MS,
  })
  private queue: LoggedEvent[] = []
  private lastDirectId: MessageId = 0

  constructor(appContext: AppContext) {
    this.appContext = appContext
  }

  /** Queues the texts of a commit; beyond the bound they are not looked at. */
  onCommit(events: readonly LoggedEvent[]): void {
    for (const event of events)
      if (watchedEvents.has(event.name) && this.queue.length < MAX_FLOOD_QUEUE) this.queue.push(event)
  }

  /** Looks at the queued texts. */
  async run(): Promise<void> {
    const { queue } = this
    this.queue = []
    for (const event of queue) {
      const written = this.textOf(event)
      const fingerprint = written && written.text !== '' ? this.fingerprintOf(written.userId) : null
      const flood = written && fingerprint !== null ? this.watch.note({ ...written, fingerprint }) : null
      if (flood) await this.appContext.execute(raiseFloodAlert, null, flood)
    }
  }

  private textOf(event: LoggedEvent): Text | null {
    if (isEvent(event, 'message')) {
      const { senderId: userId, content: text, createdAt: at, senderRole } = decodeEventPayload(event)
      return senderRole === 'rootadmin' ? null : { userId, text, isPrivate: false, at }
    }
    if (isEvent(event, 'directMessage')) {
      const { id, senderId: userId, content: text, createdAt: at, senderRole } = decodeEventPayload(event)
      // It may have an event for each of its two users.
      if (senderRole === 'rootadmin' || id === this.lastDirectId) return null
      this.lastDirectId = id
      return { userId, text, isPrivate: true, at }
    }
    if (!isEvent(event, 'postCommented')) return null
    const { comment } = decodeEventPayload(event)
    return { userId: comment.User.id, text: comment.content, isPrivate: false, at: comment.createdAt }
  }

  /** The last address of an account; null without one. */
  private fingerprintOf(userId: UserId): string | null {
    const known = this.fingerprintByUser.get(userId)
    if (known !== undefined) return known
    const fingerprint = this.appContext.reader
      .all(fingerprintsOfUser, { userId })
      .find(({ kind }) => kind === 'address')
    if (fingerprint) this.fingerprintByUser.set(userId, fingerprint.hash)
    return fingerprint?.hash ?? null
  }
}

function isEvent<N extends LoggedEvent['name']>(event: LoggedEvent, name: N): event is LoggedEvent<N> {
  return event.name === name
}
