import { Worker } from 'node:worker_threads'
import type { FromRelayThread, RelayThreadData, ToRelayThread } from './worker-protocol.ts'

/** A running relay worker as the main thread sees it. */
export interface RelayThread {
  post(message: ToRelayThread): void
  /** Ends it without waiting for its sockets. */
  terminate(): void
}

interface RelayThreadListeners {
  onMessage(message: FromRelayThread): void
  /** It has ended, for the error if there is one. */
  onExit(error: Error | null): void
}

export type StartRelayThread = (data: RelayThreadData, listeners: RelayThreadListeners) => RelayThread

/** Starts a relay worker in a thread of its own. */
export const spawnRelayThread: StartRelayThread = (data, { onMessage, onExit }) => {
  const worker = new Worker(new URL('./relay-thread.ts', import.meta.url), { workerData: data })
  let failure: Error | null = null
  // `node --watch` posts messages of its own on the same port.
  worker.on('message', (message: FromRelayThread | object) => {
    if ('kind' in message) onMessage(message)
  })
  worker.on('error', (error) => {
    failure = error
  })
  worker.on('exit', () => onExit(failure))
  return {
    post: (message) => worker.postMessage(message),
    terminate: () => void worker.terminate(),
  }
}
