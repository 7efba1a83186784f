/** Entries that features give to a menu or to another list, in their order. The page sets them when its islands load. */
export class EntryList<T extends { order: number }> {
  private entries: readonly T[] | null = null
  private waiting: (() => void)[] = []

  get all(): readonly T[] {
    return this.entries ?? []
  }

  set(entries: readonly T[]): void {
    this.entries = entries.toSorted((a, b) => a.order - b.order)
    for (const run of this.waiting.splice(0)) run()
  }

  /** Runs when the entries are set: at once if they are. For what the page loads by itself, maybe before them. */
  whenSet(run: () => void): void {
    if (this.entries) run()
    else this.waiting.push(run)
  }
}
