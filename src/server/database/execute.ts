import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { Gather } from '../gather.ts'
import type { WriteAnswer, WriteCommandName, WriteInput } from './commands.ts'
import type { LoggedEvent } from './events.ts'
import { DatabaseError } from './open.ts'
import type { Actor, Moment } from './transact.ts'
import type { BatchResult, Done, Job } from './writer.ts'
import { CLOSE, type FromWriter, type ToWriter } from './writer-messages.ts'

/** The write door. Resolves when the change is durable, or with the refusal. A refusal leaves nothing behind. */
export type Execute = <N extends WriteCommandName>(
  command: N,
  actor: Actor | null,
  input: WriteInput<N>,
  options?: ExecuteOptions,
) => Promise<WriteAnswer<N> | Refusal>

export interface ExecuteOptions {
  /** Makes a retry have one effect and get the same answer. */
  clientId?: string
  moment?: Moment
}

/** Under load, commands go to the writer together this often; a commit costs the same for one and for thirty. */
const GATHER_MS = 3
const NOWHERE: Moment = { inRoomForMs: null }

export interface WriteDoor {
  execute: Execute
  /** Commands that wait or are under way. */
  waiting(): number
  /** Refuses new work and waits until what was taken is written and answered. */
  drain(): Promise<void>
  /** Closes the file, whole and without a log beside it where nobody else has it open, and ends the writer. */
  close(): Promise<void>
}

export interface WriteDoorOptions {
  file: string
  /** More waiting commands than this are refused with Busy. */
  queueLength: number
  /** Called with each commit's events, in log order, before its answers are released. */
  onEvents: (events: LoggedEvent[]) => void
  onBatch: (size: number, tookMs: number) => void
  onBug: (command: string, stack: string) => void
}

interface Waiting {
  command: WriteCommandName
  resolve: (outcome: object | Refusal) => void
}

/** Starts the writer's thread and waits until the file is open and migrated. Throws a DatabaseError. */
export async function openWriteDoor(options: WriteDoorOptions): Promise<WriteDoor> {
  const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: { file: options.file } })
  await started(worker)
  // A writer that dies takes the region with it: nothing could be answered any more.
  worker.on('error', (error) => {
    throw error
  })
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let closing: (() => void) | null = null
  let outbox: Job[] = []

  const gathering = new Gather(GATHER_MS, () => {
    worker.postMessage(outbox satisfies ToWriter)
    outbox = []
  })
  const settle = (done: Done) => {
    const asked = waiting.get(done.id)
    waiting.delete(done.id)
    if (done.bug) options.onBug(asked?.command ?? '', done.bug)
    asked?.resolve(done.refusal ? new Refusal(done.refusal) : (done.answer ?? {}))
  }
  worker.on('message', (batch: BatchResult | WatchReport) => {
    if (isWatchReport(batch)) return
    options.onEvents(batch.events)
    options.onBatch(batch.done.length, batch.tookMs)
    for (const done of batch.done) settle(done)
    if (closing && waiting.size === 0) closing()
  })

  const enqueue = (command: WriteCommandName, actor: Actor | null, input: object, given: ExecuteOptions = {}) => {
    if (closing) return Promise.resolve(refuse('ShuttingDown'))
    if (waiting.size >= options.queueLength) return Promise.resolve(refuse('Busy'))
    return new Promise<object | Refusal>((resolve) => {
      const id = ++lastId
      waiting.set(id, { command, resolve })
      const { clientId = null, moment = NOWHERE } = given
      outbox.push({ id, command, actor, input, clientId, moment })
      gathering.schedule()
    })
  }

  return {
    execute: enqueue as Execute, // the answer's type follows from the command's name
    waiting: () => waiting.size,
    drain: () =>
      new Promise<void>((resolve) => {
        // Whoever asked takes the answer up in this turn of the event loop.
        closing = () => setImmediate(resolve)
        if (waiting.size === 0) closing()
      }),
    close: async () => {
      const ended = once(worker, 'exit')
      worker.postMessage(CLOSE satisfies ToWriter)
      await ended
    },
  }
}

function started(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.on('message', function hear(message: FromWriter | WatchReport) {
      if (isWatchReport(message)) return
      worker.off('message', hear)
      worker.off('error', reject)
      if ('unusable' in message) reject(new DatabaseError(message.unusable))
      else resolve()
    })
  })
}

/** Under `node --watch` Node itself tells through the thread's port which modules it loads, among what our code says. */
type WatchReport = { 'watch:import': string[] } | { 'watch:require': string[] }

function isWatchReport(message: object): message is WatchReport {
  return 'watch:import' in message || 'watch:require' in message
}
