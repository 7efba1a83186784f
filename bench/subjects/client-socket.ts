import { once } from 'node:events'
import WebSocket from 'ws'

/** A plain client socket of the load generator, the same for every subject and as cheap as `ws` can be. */
export async function openSocket(url: string, headers: Record<string, string> = {}): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false, skipUTF8Validation: true })
  await once(socket, 'open')
  // A connection that breaks later shows as missing deliveries.
  socket.on('error', () => {})
  return socket
}

/** Calls `listener` with each payload, text or binary. `ws` emits Buffers by default. */
export function onPayload(socket: WebSocket, listener: (payload: Buffer) => void): void {
  socket.on('message', (data) => listener(data as Buffer))
}

/** Pending promises by request id. */
export class PendingRequests {
  readonly #waiting = new Map<number, { resolve: () => void; reject: (reason: Error) => void }>()
  #lastId = 0

  get size(): number {
    return this.#waiting.size
  }

  /** Returns a new id and the promise of its answer. */
  addRequest(): { id: number; answered: Promise<void> } {
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.set(id, { resolve, reject })
    promise.catch(() => {}) // a caller that does not await it ignores its failure
    return { id, answered: promise }
  }

  rejectAll(reason: Error): void {
    for (const id of [...this.#waiting.keys()]) this.settleRequest(id, reason)
  }

  settleRequest(id: number, refusal?: Error): void {
    const waiter = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (refusal) waiter?.reject(refusal)
    else waiter?.resolve()
  }
}
