import { Refusal } from '../../shared/protocol/refusals.ts'
import { MAX_WATCHED_ROOMS } from '../../shared/shell/limits.ts'
import type { Environment } from '../live/environment.ts'
import type { Live } from '../live/live.ts'
import { followBlocks } from '../relations/follow-blocks.ts'
import { signal } from '../signal.ts'

const STORE_KEY = 'visitedRooms'

/**
 * The rooms that this tab has been in, and whether something was said there since. The server is asked to tell of
 * them anew after every move and on every new line; what it tells holds no more than the number of the last message.
 */
export class Visits {
  /** Rooms visited in this session where something new was said; the present one is none of them. */
  readonly stirred = signal<ReadonlySet<number>>(new Set())

  private readonly environment: Environment
  private readonly live: Live
  private current: number | null = null
  /** The last message heard in the present room. */
  private heard: number | null = null
  /** By room, the last message that was there when it was left; null until that is known. */
  private readonly left: Map<number, number | null>

  constructor(environment: Environment, live: Live) {
    this.environment = environment
    this.live = live
    this.left = read(environment.tab.get(STORE_KEY))
    live.on('message', ({ roomId, id }) => {
      if (roomId === this.current) this.heard = id
    })
    live.on('roomActivity', ({ roomId, messageId }) => this.told(roomId, messageId))
    // What they say who are blocked stirs no room.
    followBlocks(live, { blocked: () => void this.watch(), unblocked: () => void this.watch() })
    live.onConnected(() => void this.watch())
  }

  /** The page of this room is shown. */
  enter(roomId: number): void {
    if (roomId === this.current) return
    if (this.current !== null) this.left.set(this.current, this.heard)
    this.current = roomId
    this.heard = null
    this.left.delete(roomId)
    this.mark(roomId, false)
    this.keep()
    void this.watch()
  }

  /** The session is over: nothing of it stays. */
  forget(): void {
    this.left.clear()
    this.environment.tab.set(STORE_KEY, null)
  }

  private async watch(): Promise<void> {
    const roomIds = [...this.left.keys()].slice(-MAX_WATCHED_ROOMS)
    if (roomIds.length === 0) return
    const answer = await this.live.request('watchRooms', { roomIds })
    if (typeof answer === 'string' || answer instanceof Refusal) return
    for (const { roomId, messageId } of answer.rooms) {
      if (this.left.get(roomId) === null) this.left.set(roomId, messageId)
      else this.told(roomId, messageId)
    }
    this.keep()
  }

  private told(roomId: number, messageId: number): void {
    const known = this.left.get(roomId)
    // What was new there may have been taken away again.
    if (typeof known === 'number') this.mark(roomId, messageId > known)
  }

  private mark(roomId: number, isStirred: boolean): void {
    const stirred = new Set(this.stirred.peek())
    if (stirred.has(roomId) === isStirred) return
    if (isStirred) stirred.add(roomId)
    else stirred.delete(roomId)
    this.stirred.value = stirred
  }

  private keep(): void {
    this.environment.tab.set(STORE_KEY, JSON.stringify([...this.left]))
  }
}

/** Storage may hold anything: what is no list of visits is none. */
function read(kept: string | null): Map<number, number | null> {
  try {
    const entries: unknown = JSON.parse(kept ?? '[]')
    return new Map(Array.isArray(entries) ? entries.filter(isVisit) : [])
  } catch {
    return new Map()
  }
}

function isVisit(entry: unknown): entry is [number, number | null] {
  if (!Array.isArray(entry) || entry.length !== 2) return false
  const [roomId, messageId] = entry
  return Number.isSafeInteger(roomId) && (messageId === null || Number.isSafeInteger(messageId))
}
