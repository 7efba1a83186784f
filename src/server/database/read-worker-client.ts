import { Worker } from 'node:worker_threads'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { FromReadWorker, ToReadWorker } from './read-worker-messages.ts'
import type { SlowReadAnswer, SlowReadInput, SlowReadName } from './slow-reads.ts'

/** The door for reads that would make everyone on the main thread wait. Busy when too many wait already. */
export type ReadInWorker = <N extends SlowReadName>(
  name: N,
  input: SlowReadInput<N>,
) => Promise<SlowReadAnswer<N> | Refusal>

interface ReadWorkerClientOptions {
  file: string
  onError: (name: SlowReadName, stack: string) => void
}

/** So many reads may wait; at the slowest of them the last has waited for a few seconds. */
const MAX_QUEUED_READS = 64

interface PendingRead {
  name: SlowReadName
  resolve: (outcome: object | Refusal) => void
}

/** Hands reads to a thread of their own, which the first of them starts: most regions idle without one. */
export class ReadWorkerClient {
  private readonly options: ReadWorkerClientOptions
  private readonly pending = new Map<number, PendingRead>()
  private worker: Worker | null = null
  private lastId = 0
  private isClosed = false

  constructor(options: ReadWorkerClientOptions) {
    this.options = options
  }

  /** One read, in its turn. */
  readonly read = ((name, input) => {
    if (this.isClosed) return Promise.resolve(refuse('ShuttingDown'))
    if (this.pending.size >= MAX_QUEUED_READS) return Promise.resolve(refuse('Busy'))
    return new Promise<object | Refusal>((resolve) => {
      const id = ++this.lastId
      this.pending.set(id, { name, resolve })
      this.worker ??= this.startWorker()
      this.worker.postMessage({ id, name, input } satisfies ToReadWorker)
    })
  }) as ReadInWorker // the answer's type follows from the name

  /** Refuses what waits, and ends the thread after what is under way. */
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
    const worker = new Worker(new URL('./read-worker-thread.ts', import.meta.url), {
      workerData: { file: this.options.file },
    })
    worker.on('message', (message: FromReadWorker | NodeWatchMessage) => {
      if ('id' in message) this.resolveRead(message)
    })
    // It holds nothing: what it owed is refused, and the next read starts another.
    worker.on('error', (error) => {
      this.worker = null
      for (const id of [...this.pending.keys()]) this.resolveRead({ id, errorStack: error.stack ?? error.message })
    })
    return worker
  }

  private resolveRead(message: FromReadWorker): void {
    const asked = this.pending.get(message.id)
    if (!asked) return
    this.pending.delete(message.id)
    if ('errorStack' in message) this.options.onError(asked.name, message.errorStack)
    asked.resolve('errorStack' in message ? refuse('Failed') : message.answer)
  }
}

/** Under `node --watch` Node itself tells through the thread's port which modules it loads, among what our code says. */
type NodeWatchMessage = { 'watch:import': string[] } | { 'watch:require': string[] }
