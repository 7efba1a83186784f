import { Worker } from 'node:worker_threads'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { FromReader, ToReader } from './reader-messages.ts'
import type { SlowReadAnswer, SlowReadInput, SlowReadName } from './slow-reads.ts'

/** The door for reads that would make everyone on the main thread wait. Busy when too many wait already. */
export type ReadSlowly = <N extends SlowReadName>(
  name: N,
  input: SlowReadInput<N>,
) => Promise<SlowReadAnswer<N> | Refusal>

interface SlowReadOptions {
  file: string
  onBug: (name: SlowReadName, stack: string) => void
}

/** So many reads may wait; at the slowest of them the last has waited for a few seconds. */
const QUEUE = 64

interface Waiting {
  name: SlowReadName
  resolve: (outcome: object | Refusal) => void
}

/** Hands reads to a thread of their own, which the first of them starts: most regions idle without one. */
export class SlowReadDoor {
  private readonly options: SlowReadOptions
  private readonly waiting = new Map<number, Waiting>()
  private worker: Worker | null = null
  private lastId = 0
  private isClosed = false

  constructor(options: SlowReadOptions) {
    this.options = options
  }

  /** One read, in its turn. */
  readonly read = ((name, input) => {
    if (this.isClosed) return Promise.resolve(refuse('ShuttingDown'))
    if (this.waiting.size >= QUEUE) return Promise.resolve(refuse('Busy'))
    return new Promise<object | Refusal>((resolve) => {
      const id = ++this.lastId
      this.waiting.set(id, { name, resolve })
      this.worker ??= this.start()
      this.worker.postMessage({ id, name, input } satisfies ToReader)
    })
  }) as ReadSlowly // the answer's type follows from the name

  /** Refuses what waits, and ends the thread after what is under way. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const { resolve } of this.waiting.values()) resolve(refuse('ShuttingDown'))
    this.waiting.clear()
    const { worker } = this
    if (!worker) return
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    worker.postMessage('close' satisfies ToReader)
    await ended
  }

  private start(): Worker {
    const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
      workerData: { file: this.options.file },
    })
    worker.on('message', (message: FromReader | WatchReport) => {
      if ('id' in message) this.settle(message)
    })
    // It holds nothing: what it owed is refused, and the next read starts another.
    worker.on('error', (error) => {
      this.worker = null
      for (const id of [...this.waiting.keys()]) this.settle({ id, bug: error.stack ?? error.message })
    })
    return worker
  }

  private settle(message: FromReader): void {
    const asked = this.waiting.get(message.id)
    if (!asked) return
    this.waiting.delete(message.id)
    if ('bug' in message) this.options.onBug(asked.name, message.bug)
    asked.resolve('bug' in message ? refuse('Failed') : message.answer)
  }
}

/** Under `node --watch` Node itself tells through the thread's port which modules it loads, among what our code says. */
type WatchReport = { 'watch:import': string[] } | { 'watch:require': string[] }
