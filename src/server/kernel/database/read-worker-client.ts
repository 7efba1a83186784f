import { Worker } from 'node:worker_threads'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { SlowRead } from './slow-read.ts'

/** A read for the worker thread; `close` ends the thread. */
export type ToReadWorker = { id: number; name: string; input: object } | 'close'

/** The answer, or the stack of an unexpected error. */
export type FromReadWorker = { id: number; answer: object } | { id: number; errorStack: string }

/** Runs a read that would block the main thread for too long. Refused with Busy when the queue is full. */
export type ReadInWorker = <I extends object, A extends object>(
  read: SlowRead<I, A>,
  input: NoInfer<I>,
) => Promise<A | Refusal>

interface ReadWorkerClientOptions {
  file: string
  /** The module that the thread runs: it serves the slow reads of all features (read-worker-thread.ts). */
  module: URL
  onError: (name: string, stack: string) => void
}

/** Maximum of queued reads; with the slowest read, the last one waits a few seconds. */
const MAX_QUEUED_READS = 64

interface PendingRead {
  name: string
  resolve: (outcome: object | Refusal) => void
}

/** Runs slow reads in a worker thread, which starts with the first read: many processes never need it. */
export class ReadWorkerClient {
  private readonly options: ReadWorkerClientOptions
  private readonly pending = new Map<number, PendingRead>()
  private worker: Worker | null = null
  private lastId = 0
  private isClosed = false

  constructor(options: ReadWorkerClientOptions) {
    this.options = options
  }

  /** Queues one read. */
  readonly read = (({ name }, input) => {
    if (this.isClosed) return Promise.resolve(refuse('ShuttingDown'))
    if (this.pending.size >= MAX_QUEUED_READS) return Promise.resolve(refuse('Busy'))
    return new Promise<object | Refusal>((resolve) => {
      const id = ++this.lastId
      this.pending.set(id, { name, resolve })
      this.worker ??= this.startWorker()
      this.worker.postMessage({ id, name, input } satisfies ToReadWorker)
    })
  }) as ReadInWorker // the thread answers with what the read of this name returns

  /** Refuses queued reads with ShuttingDown and ends the thread after the current read. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const { resolve } of this.pending.values()) resolve(refuse('ShuttingDown'))
    this.pending.clear()
    const { worker } = this
    if (!worker) return
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    worker.postMessage('close' satisfies ToReadWorker)
    await ended
  }

  private startWorker(): Worker {
    const { module, file } = this.options
    const worker = new Worker(module, { workerData: { file } })
    worker.on('message', (message: FromReadWorker | NodeWatchMessage) => {
      if ('id' in message) this.resolveRead(message)
    })
    // The thread has no state: pending reads are refused, and the next read starts a new thread.
    worker.on('error', (error) => {
      this.worker = null
      for (const id of [...this.pending.keys()]) this.resolveRead({ id, errorStack: error.stack ?? error.message })
    })
    return worker
  }

  private resolveRead(message: FromReadWorker): void {
    const pending = this.pending.get(message.id)
    if (!pending) return
    this.pending.delete(message.id)
    if ('errorStack' in message) this.options.onError(pending.name, message.errorStack)
    pending.resolve('errorStack' in message ? refuse('Failed') : message.answer)
  }
}

/** `node --watch` posts the modules that a thread loads on the port of the thread's own messages. */
export type NodeWatchMessage = { 'watch:import': string[] } | { 'watch:require': string[] }
