import type { Leader } from '../litefs/litefs-client.ts'

/**
 * Four times LiteFS's reconnect-delay: while a primary cannot be reached, LiteFS names it and takes that back in turns,
 * once a delay (decision 0008).
 */
const NO_LEADER_DEBOUNCE_MS = 1_000

/** Who leads, out of what LiteFS says. That another region does not lead any more is believed only when it stays so. */
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
    // A region that was the primary must stop at once; one that is a replica loses nothing by waiting.
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
