import { LRUCache } from 'lru-cache'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { atMostEntries } from '../../kernel/limits/at-most-entries.ts'
import { type RoomVisit, recordRoomVisits } from './record-room-visits.ts'

/** Another entry within this time is the same visit. */
const SAME_VISIT_MS = 10 * 60_000
const MAX_REMEMBERED = 50_000
/** Visits of one command; and those that wait, beyond which they are dropped. */
const BATCH_SIZE = 200
const MAX_WAITING = 20_000

/** Gathers who enters rooms in this region, so that many who come at once are few writes. */
export class RoomVisits {
  private readonly appContext: Pick<AppContext, 'clock' | 'execute'>
  private readonly recent = new LRUCache<string, true>({ ...atMostEntries(MAX_REMEMBERED), ttl: SAME_VISIT_MS })
  private waiting: RoomVisit[] = []

  constructor(appContext: Pick<AppContext, 'clock' | 'execute'>) {
    this.appContext = appContext
  }

  /** A user has entered a room. */
  onEntered(roomId: RoomId, userId: UserId): void {
    const key = `${roomId} ${userId}`
    if (this.recent.has(key) || this.waiting.length >= MAX_WAITING) return
    this.recent.set(key, true)
    this.waiting.push({ roomId, userId, visitedAt: this.appContext.clock() })
  }

  /** Stores what was gathered. Visits that cannot be written now are tried again with the next ones. */
  async flush(): Promise<void> {
    while (this.waiting.length > 0) {
      const visits = this.waiting.splice(0, BATCH_SIZE)
      const recorded = await this.appContext.execute(recordRoomVisits, null, { visits })
      if (!(recorded instanceof Refusal)) continue
      this.waiting.unshift(...visits)
      return
    }
  }
}
