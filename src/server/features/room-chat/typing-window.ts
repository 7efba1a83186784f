import type { UserId } from '../../../shared/protocol/ids.ts'

/** Minimum time between two typing events of one room. */
const FLUSH_INTERVAL_MS = 1_000
/** Users named in one typing event. */
export const MAX_NAMED_USERS = 5

export interface TypingUser {
  id: UserId
  username: string
}

/** Users who have typed since the last event. */
export interface Gathered {
  local: TypingUser[]
  remote: TypingUser[]
}

/** Gathers the users who type in one room into at most one event a second: the first at once, later ones together. */
export class TypingWindow {
  private readonly publish: (take: () => Gathered) => boolean
  private readonly local = new Map<UserId, TypingUser>()
  private readonly remote = new Map<UserId, TypingUser>()
  private timer: NodeJS.Timeout | null = null

  /** @param publish takes what was gathered and sends it; returns whether there was anything to send */
  constructor(publish: (take: () => Gathered) => boolean) {
    this.publish = publish
  }

  add(origin: keyof Gathered, { id, username }: TypingUser): void {
    const users = this[origin]
    if (users.size < MAX_NAMED_USERS) users.set(id, { id, username })
    if (!this.timer) this.flush()
  }

  removeLocal(userId: UserId): void {
    this.local.delete(userId)
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
  }

  private flush(): void {
    this.timer = null
    if (!this.publish(() => this.take())) return
    this.timer = setTimeout(() => this.flush(), FLUSH_INTERVAL_MS)
    this.timer.unref()
  }

  private take(): Gathered {
    const gathered = { local: [...this.local.values()], remote: [...this.remote.values()] }
    this.local.clear()
    this.remote.clear()
    return gathered
  }
}
