/** A value that code with a later chunk sets once. A use before that waits for it. */
export class LateValue<T> {
  private readonly late = Promise.withResolvers<T>()
  private known: T | undefined

  /** Undefined until it is set. */
  get current(): T | undefined {
    return this.known
  }

  set(value: T): void {
    this.known = value
    this.late.resolve(value)
  }

  /** Calls `use` with the value: at once if it is set, so that a click opens in its own task; else when it is set. */
  whenSet<R>(use: (value: T) => R | Promise<R>): R | Promise<R> {
    return this.known === undefined ? this.late.promise.then(use) : use(this.known)
  }
}
