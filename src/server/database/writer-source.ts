import { Worker } from 'node:worker_threads'
import { type Ground, WriterDesk } from './writer-desk.ts'
import type { FromWriter, ToWriter } from './writer-messages.ts'

/** Where the writer runs. What is posted is carried out in order. */
export interface WriterSource {
  post(message: ToWriter): void
  onMessage(listener: (message: FromWriter) => void): void
  /** Resolves when the writer has ended after `close`. */
  readonly ended: Promise<void>
}

/** The writer in a thread of its own, started and loaded before it is needed. */
export function writerThread(file: string, onLiteFs: boolean): WriterSource {
  const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: { file, onLiteFs } })
  // A writer that dies takes the region with it: nothing could be answered any more.
  worker.on('error', (error) => {
    throw error
  })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => {
      worker.on('message', (message: FromWriter | WatchReport) => {
        if (!isWatchReport(message)) listener(message)
      })
    },
    ended,
  }
}

/** The writer in this thread: what is posted is done when `post` returns. */
export function writerHere(ground: Ground): WriterSource {
  const listeners: ((message: FromWriter) => void)[] = []
  const desk = new WriterDesk(ground, (message) => {
    for (const listener of listeners) listener(message)
  })
  return {
    post: (message) => {
      desk.take(message)
      while (desk.waiting() > 0) desk.step()
    },
    onMessage: (listener) => void listeners.push(listener),
    ended: Promise.resolve(),
  }
}

/** Under `node --watch` Node itself tells through the thread's port which modules it loads, among what our code says. */
type WatchReport = { 'watch:import': string[] } | { 'watch:require': string[] }

function isWatchReport(message: object): message is WatchReport {
  return 'watch:import' in message || 'watch:require' in message
}
