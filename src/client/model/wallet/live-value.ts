import { type ReadonlySignal, signal } from '../../core/signals/signal.ts'

/** A value that is loaded when it is first shown, and kept current by events. */
export class LiveValue<T> {
  private readonly current
  private readonly fetchValue: () => Promise<T | null>
  private changeCount = 0

  /** @param fetchValue null: it failed */
  constructor(initial: T, fetchValue: () => Promise<T | null>) {
    this.current = signal(initial)
    this.fetchValue = fetchValue
  }

  get value(): ReadonlySignal<T> {
    return this.current
  }

  /** Fetches the value. Returns whether it succeeded. */
  async load(): Promise<boolean> {
    const changesBefore = this.changeCount
    const fetched = await this.fetchValue()
    if (fetched === null) return false
    // The answer may be older than an event that came meanwhile.
    if (this.changeCount !== changesBefore) return this.load()
    this.current.value = fetched
    return true
  }

  /** Applies an event. */
  update(change: (known: T) => T): void {
    this.changeCount++
    this.current.value = change(this.current.peek())
  }
}
