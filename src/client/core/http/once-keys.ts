/** Idempotency keys of requests that may have had their effect, or had none. */
export class OnceKeys {
  private readonly keys = new Map<string, string>()
  private readonly makeKey: () => string

  constructor(makeKey: () => string) {
    this.makeKey = makeKey
  }

  /** The key of a request, by what it asks; the same until `forget`. */
  keyOf(request: string): string {
    const key = this.keys.get(request) ?? this.makeKey()
    this.keys.set(request, key)
    return key
  }

  /** The request has ended: the same one asks for another effect from now on. */
  forget(request: string): void {
    this.keys.delete(request)
  }
}
