import type { Leader } from './litefs.ts'

/**
 * Four times LiteFS's reconnect-delay: while a primary cannot be reached, LiteFS names it and takes that back in turns,
 * once a delay (decision 0008).
 */
const NOBODY_MS = 1_000

/** Who leads, out of what LiteFS says. That another region does not lead any more is believed only when it stays so. */
export class LeaderBelief {
  private readonly onChange: (leader: Leader) => void
  private believed: Leader = { is: 'nobody' }
  private doubt: NodeJS.Timeout | undefined

  constructor(onChange: (leader: Leader) => void) {
    this.onChange = onChange
  }

  leader(): Leader {
    return this.believed
  }

  told(leader: Leader): void {
    clearTimeout(this.doubt)
    if (isSame(leader, this.believed)) return
    // A region that was the primary must stop at once; one that is a replica loses nothing by waiting.
    if (leader.is === 'nobody' && this.believed.is === 'other') {
      this.doubt = setTimeout(() => this.believe(leader), NOBODY_MS)
    } else this.believe(leader)
  }

  close(): void {
    clearTimeout(this.doubt)
  }

  private believe(leader: Leader): void {
    this.believed = leader
    this.onChange(leader)
  }
}

function isSame(a: Leader, b: Leader): boolean {
  return a.is === b.is && urlOf(a) === urlOf(b)
}

function urlOf(leader: Leader): string | null {
  return leader.is === 'other' ? leader.url : null
}
