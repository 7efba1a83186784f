import { Worker } from 'node:worker_threads'
import type { FromWriter, ToWriter } from './writer-messages.ts'
import { type WriterPlatform, WriterQueue } from './writer-queue.ts'

/** Where the writer runs. What is posted is carried out in order. */
export interface WriterTransport {
  post(message: ToWriter): void
  onMessage(listener: (message: FromWriter) => void): void
  /** Resolves when the writer has ended after `close`. */
  readonly ended: Promise<void>
}

/** The writer in a thread of its own, started and loaded before it is needed. */
export function spawnWriter(file: string, onLiteFs: boolean): WriterTransport {
  const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: { file, onLiteFs } })
  // A writer that dies takes the region with it: nothing could be answered any more.
  worker.on('error', (error) => {
    throw error
  })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => {
      worker.on('message', (message: FromWriter | NodeWatchMessage) => {
        if (!isNodeWatchMessage(message)) listener(message)
      })
    },
    ended,
  }
}

/** The writer in this thread: what is posted is done when `post` returns. */
export function createInProcessWriter(ground: WriterPlatform): WriterTransport {
  const listeners: ((message: FromWriter) => void)[] = []
  const desk = new WriterQueue(ground, (message) => {
    for (const listener of listeners) listener(message)
  })
  return {
    post: (message) => {
      desk.enqueue(message)
      while (desk.pendingCount() > 0) desk.processNext()
    },
    onMessage: (listener) => void listeners.push(listener),
    ended: Promise.resolve(),
  }
}

/** Under `node --watch` Node itself tells through the thread's port which modules it loads, among what our code says. */
type NodeWatchMessage = { 'watch:import': string[] } | { 'watch:require': string[] }

function isNodeWatchMessage(message: object): message is NodeWatchMessage {
  return 'watch:import' in message || 'watch:require' in message
}
