import { once } from 'node:events'
import WebSocket from 'ws'

/** A plain client socket of the load generator; the same for every contender, and as light as `ws` can be. */
export async function openSocket(url: string, headers: Record<string, string> = {}): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false, skipUTF8Validation: true })
  await once(socket, 'open')
  // A line that breaks later shows in what is missing.
  socket.on('error', () => {})
  return socket
}

/** Calls back with each payload, text or binary. `ws` hands out Buffers unless told otherwise. */
export function onPayload(socket: WebSocket, heard: (payload: Buffer) => void): void {
  socket.on('message', (data) => heard(data as Buffer))
}

/** Answers by request id: resolves or rejects the one who waits. */
export class PendingRequests {
  readonly #waiting = new Map<number, { resolve: () => void; reject: (reason: Error) => void }>()
  #lastId = 0

  get size(): number {
    return this.#waiting.size
  }

  /** A fresh id and the promise of its answer. */
  addRequest(): { id: number; answered: Promise<void> } {
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.set(id, { resolve, reject })
    return { id, answered: promise }
  }

  settleRequest(id: number, refusal?: Error): void {
    const waiter = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (refusal) waiter?.reject(refusal)
    else waiter?.resolve()
  }
}
