import type { Leader } from '../../database/leader.ts'

/**
 * Four times LiteFS's reconnect-delay: while the primary is unreachable, LiteFS alternately names it and names nobody, once
 * per delay (decision 0008).
 */
const NO_LEADER_DEBOUNCE_MS = 1_000

/** The leader that LiteFS names, debounced: the loss of another region's lead counts only when it lasts. */
export class StableLeader {
  private readonly onChange: (leader: Leader) => void
  private current: Leader = { is: 'nobody' }
  private debounceTimer: NodeJS.Timeout | undefined

  constructor(onChange: (leader: Leader) => void) {
    this.onChange = onChange
  }

  leader(): Leader {
    return this.current
  }

  update(leader: Leader): void {
    clearTimeout(this.debounceTimer)
    if (isSameLeader(leader, this.current)) return
    // A former primary must stop at once; a replica loses nothing by waiting.
    if (leader.is === 'nobody' && this.current.is === 'other') {
      this.debounceTimer = setTimeout(() => this.setLeader(leader), NO_LEADER_DEBOUNCE_MS)
    } else this.setLeader(leader)
  }

  close(): void {
    clearTimeout(this.debounceTimer)
  }

  private setLeader(leader: Leader): void {
    this.current = leader
    this.onChange(leader)
  }
}

function isSameLeader(a: Leader, b: Leader): boolean {
  return a.is === b.is && leaderUrl(a) === leaderUrl(b)
}

function leaderUrl(leader: Leader): string | null {
  return leader.is === 'other' ? leader.url : null
}
