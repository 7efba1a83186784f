import { Worker } from 'node:worker_threads'
import { type Refusal, type RefusalBody, refuse } from '../../../shared/protocol/refusals.ts'
import { CoalescingThrottle } from '../limits/throttle.ts'
import type { CommandEnvelope } from './commands/command-envelope.ts'
import type { LoggedEvent } from './events/logged-event.ts'
import { DatabaseError } from './open.ts'
import { type Position, ZERO_POSITION } from './position.ts'
import type { NodeWatchMessage } from './read-worker-client.ts'
import type { BatchResult, WriteJob, WriteResult } from './writer.ts'

/** The result of a command. `indeterminate`: the lease was lost and the command may have run; submit it again. */
export type CommandOutcome =
  | { answer: object; position: Position }
  | { refusal: RefusalBody; position: Position }
  | 'indeterminate'

/** Requests to the writer other than commands; each reply carries the id. `terminate` ends the thread. */
export type WriterRequest =
  | { kind: 'openDatabase'; id: number; clockOffsetMs: number }
  | { kind: 'closeDatabase'; id: number }
  | { kind: 'terminate'; id: number }

/** Messages are handled in the order of posting. Jobs are dropped while the database is closed. */
export type ToWriter = WriteJob[] | WriterRequest

export type FromWriter =
  | { kind: 'databaseOpened'; id: number; position: Position }
  /** The file cannot be used; `message` gives the cause. */
  | { kind: 'databaseUnusable'; id: number; message: string }
  | { kind: 'batch'; batch: BatchResult; position: Position }
  /** Unanswered jobs are indeterminate and the database is closed. With an id it is the reply to `openDatabase`. */
  | { kind: 'leaseLost'; id: number | null; cause: string }
  | { kind: 'databaseClosed'; id: number; position: Position }

export interface WriterThreadData {
  file: string
  isOnLiteFs: boolean
}

/** Carries messages to and from the writer: a worker thread, or the same thread in tests and simulations. */
export interface WriterTransport {
  post(message: ToWriter): void
  onMessage(listener: (message: FromWriter) => void): void
  /** Resolves when the writer has ended after `terminate`. */
  readonly ended: Promise<void>
}

export interface WriterClientOptions {
  file: string
  /** Commands beyond this number of pending ones are refused with Busy. */
  maxQueueLength: number
  /** On LiteFS positions are read after each commit, a failed commit means a lost lease, and each term skips numbers. */
  isOnLiteFs: boolean
  /** Refuses a command before it is queued. */
  checkCommand?: (envelope: CommandEnvelope) => Refusal | null
  onBatch: (size: number, durationMs: number) => void
  onError: (command: string, stack: string) => void
  /** The lease was lost during a batch or an opening; the database is closed until `openDatabase`. */
  onLeaseLost?: (cause: string) => void
}

/** Receives each commit's events, in log order, before its commands are answered. */
export type CommitListener = (events: LoggedEvent[], position: Position) => void

/**
 * Jobs of a window are posted together, because a commit costs the same for one job and for thirty. The window depends
 * on the size of the last batch: few concurrent senders must not wait long for each other.
 */
function batchWindowMs(lastBatchSize: number): number {
  if (lastBatchSize >= BUSY_BATCH_SIZE) return 20
  return lastBatchSize > 1 ? 10 : 3
}

const BUSY_BATCH_SIZE = 8
/** A batch of this size is posted without waiting for the window to end. */
const FULL_BATCH_SIZE = 32

interface PendingCommand {
  command: string
  resolve: (outcome: CommandOutcome) => void
}

type WriterReply = Exclude<FromWriter, { kind: 'batch' }>
type WriterRequestBody =
  | { kind: 'openDatabase'; clockOffsetMs: number }
  | { kind: 'closeDatabase' }
  | { kind: 'terminate' }

/** The main thread's side of the writer: batches commands, and resolves each once its commit is durable. */
export class WriterClient {
  /** Makes it the WriteRoute (regions/command-router.ts) of a single node. */
  readonly isLocal = true
  private readonly options: WriterClientOptions
  private readonly transport: WriterTransport
  private readonly throttle = new CoalescingThrottle(
    () => batchWindowMs(this.lastBatchSize),
    () => this.postBatch(),
  )
  private readonly pendingCommands = new Map<number, PendingCommand>()
  private readonly pendingRequests = new Map<number, (reply: WriterReply) => void>()
  private readonly commitListeners: CommitListener[] = []
  private unsentJobs: WriteJob[] = []
  private lastBatchSize = 0
  private lastJobId = 0
  private lastRequestId = 0
  private isOpen = false
  private position = ZERO_POSITION

  /** Starts the writer; the database stays closed until `openDatabase`. */
  constructor(options: WriterClientOptions, transport: WriterTransport) {
    this.options = options
    this.transport = transport
    transport.onMessage((message) => this.handleMessage(message))
  }

  onCommit(listener: CommitListener): void {
    this.commitListeners.push(listener)
  }

  /** Opens the file for writing, migrates it and begins a term. Rejects with a DatabaseError for an unusable file. */
  async openDatabase({ clockOffsetMs }: { clockOffsetMs: number }): Promise<Position | 'leaseLost'> {
    const reply = await this.request({ kind: 'openDatabase', clockOffsetMs })
    if (reply.kind === 'databaseUnusable') throw new DatabaseError(reply.message)
    return reply.kind === 'databaseOpened' ? reply.position : 'leaseLost'
  }

  /** Queues a command. `indeterminate` at once while the database is closed; Busy when the queue is full. */
  submit(envelope: CommandEnvelope): Promise<CommandOutcome> {
    if (!this.isOpen) return Promise.resolve('indeterminate')
    const { pendingCommands, position, options } = this
    const isFull = pendingCommands.size >= options.maxQueueLength
    const refusal = isFull ? refuse('Busy') : (options.checkCommand?.(envelope) ?? null)
    if (refusal) return Promise.resolve({ refusal: refusal.body, position })
    const { command, actor, input, clientId } = envelope
    return new Promise((resolve) => {
      const id = ++this.lastJobId
      pendingCommands.set(id, { command, resolve })
      const unsentCount = this.unsentJobs.push({ id, command, actor, input, clientId })
      this.throttle.schedule(unsentCount >= FULL_BATCH_SIZE)
    })
  }

  /** Commands without an outcome: queued or running. */
  pendingCount(): number {
    return this.pendingCommands.size
  }

  /** Finishes accepted commands and closes the file; later commands are `indeterminate`. Resolves with the last position. */
  async closeDatabase(): Promise<Position> {
    await this.request({ kind: 'closeDatabase' })
    // Callers of `submit` handle their answers in this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    return this.position
  }

  /** Closes the database and ends the thread. */
  async close(): Promise<void> {
    await this.request({ kind: 'terminate' })
    await this.transport.ended
  }

  /** Posts queued commands before the request; no command is accepted until the database is open again. */
  private request(request: WriterRequestBody): Promise<WriterReply> {
    this.isOpen = false
    this.postBatch()
    const id = ++this.lastRequestId
    return new Promise((resolve) => {
      this.pendingRequests.set(id, resolve)
      this.transport.post({ ...request, id })
    })
  }

  private postBatch(): void {
    if (this.unsentJobs.length === 0) return
    const jobs = this.unsentJobs
    this.unsentJobs = []
    this.lastBatchSize = jobs.length
    this.transport.post(jobs)
  }

  private handleMessage(message: FromWriter): void {
    if (message.kind === 'batch') {
      this.position = message.position
      for (const listener of this.commitListeners) listener(message.batch.events, message.position)
      this.options.onBatch(message.batch.results.length, message.batch.durationMs)
      for (const result of message.batch.results) this.resolveCommand(result)
      return
    }
    if (message.kind === 'leaseLost') this.handleLeaseLost(message.cause)
    if (message.kind === 'databaseOpened') {
      this.position = message.position
      this.isOpen = message.id === this.lastRequestId
    }
    if (message.id !== null) this.resolveRequest(message.id, message)
  }

  private resolveCommand({ id, answer, refusal, errorStack }: WriteResult): void {
    const pending = this.pendingCommands.get(id)
    this.pendingCommands.delete(id)
    if (errorStack) this.options.onError(pending?.command ?? '', errorStack)
    const { position } = this
    pending?.resolve(refusal ? { refusal, position } : { answer: answer ?? {}, position })
  }

  /** The writer drops jobs that arrive while the database is closed, so no pending command can run later. */
  private handleLeaseLost(cause: string): void {
    this.isOpen = false
    this.unsentJobs = []
    const pending = [...this.pendingCommands.values()]
    this.pendingCommands.clear()
    for (const { resolve } of pending) resolve('indeterminate')
    this.options.onLeaseLost?.(cause)
  }

  private resolveRequest(id: number, reply: WriterReply): void {
    const resolve = this.pendingRequests.get(id)
    this.pendingRequests.delete(id)
    resolve?.(reply)
  }
}

/**
 * Starts the writer in a worker thread, so that it is loaded before it is needed.
 * @param module what the thread runs: it serves the commands of all features (writer-thread.ts)
 */
export function spawnWriter(module: URL, { file, isOnLiteFs }: WriterThreadData): WriterTransport {
  const writer: WriterThreadData = { file, isOnLiteFs }
  const worker = new Worker(module, { workerData: { writer } })
  // A region cannot work without its writer, so an uncaught error of the thread ends the process.
  worker.on('error', (error) => {
    throw error
  })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => {
      worker.on('message', (message: FromWriter | NodeWatchMessage) => {
        if ('kind' in message) listener(message)
      })
    },
    ended,
  }
}
