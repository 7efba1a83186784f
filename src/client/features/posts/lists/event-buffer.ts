import type { PostChange } from './post-changes.ts'

/** Earlier changes are in every page: a region lags behind by seconds. */
const MAX_CHANGES = 200

/** Orders changes and requests of this tab. */
type Sequence = number

/** The latest changes, for pages that do not have them yet: those of a region that lags behind, and those under way. */
export class EventBuffer {
  private changes: { change: PostChange; seq: number | null; at: Sequence }[] = []
  private sequence: Sequence = 0

  /** @param seq null for a change that this tab made by itself, before its event */
  add(change: PostChange, seq: number | null): void {
    this.changes = [...this.changes, { change, seq, at: ++this.sequence }].slice(-MAX_CHANGES)
  }

  now(): Sequence {
    return this.sequence
  }

  /** Whether there was such a change since then. */
  hasSince(sequence: Sequence, matches: (change: PostChange) => boolean): boolean {
    return this.changes.some(({ change, at }) => at > sequence && matches(change))
  }

  /**
   * What a page does not have that has the events up to `cursor`. What this tab did before it requested the page is in it:
   * another user may have undone that since.
   */
  missingIn(cursor: number, requestedAt: Sequence): PostChange[] {
    const isMissing = ({ seq, at }: { seq: number | null; at: Sequence }) =>
      seq === null ? at > requestedAt : seq > cursor
    return this.changes.filter(isMissing).map(({ change }) => change)
  }
}
