import { LateValue } from '../loading/late-value.ts'

/** Entries that features give to a menu or to another list, in their order. The page sets them when its islands load. */
export class EntryList<T extends { order: number }> {
  private readonly entries = new LateValue<readonly T[]>()

  get all(): readonly T[] {
    return this.entries.current ?? []
  }

  set(entries: readonly T[]): void {
    this.entries.set(entries.toSorted((a, b) => a.order - b.order))
  }

  /** Runs when the entries are set: at once if they are. For what the page loads by itself, maybe before them. */
  whenSet(run: () => void): void {
    void this.entries.whenSet(run)
  }
}
