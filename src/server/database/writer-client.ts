import { type RefusalBody, refuse } from '../../shared/protocol/refusals.ts'
import { type Position, ZERO_POSITION } from '../regions/replication/position.ts'
import { CoalescingThrottle } from '../throttle.ts'
import type { WriteCommandName } from './commands.ts'
import type { LoggedEvent } from './events.ts'
import { DatabaseError } from './open.ts'
import type { ActorContext, Claims } from './transact.ts'
import type { WriteJob, WriteResult } from './writer.ts'
import type { FromWriter, WriterRequest } from './writer-messages.ts'
import { spawnWriter, type WriterTransport } from './writer-transport.ts'

/** One command on its way to the writer, in this region or in another. */
export interface CommandEnvelope {
  command: WriteCommandName
  /** Who acts, by session; the writer looks their role up itself. */
  actor: Claims | null
  input: object
  /** Makes a retry have one effect and get the same answer: the client's, or `region:` and a UUID. */
  clientId: string | null
  actorContext: ActorContext
}

/** What became of an order. `lost`: the lease went meanwhile, and whether it happened is not known: send it again. */
export type CommandOutcome =
  | { answer: object; position: Position }
  | { refusal: RefusalBody; position: Position }
  | 'lost'

/** The door through which everything is written, open while this region is the primary. */
export interface WriterClient {
  /** Opens the file for writing, migrates it, begins a reign. Rejects with a DatabaseError. `lost` when the lease went meanwhile. */
  openDatabase(reign: { clockOffsetMs: number }): Promise<Position | 'lost'>
  /** `lost` at once while the door is shut. Busy when too much waits. */
  submit(order: CommandEnvelope): Promise<CommandOutcome>
  /** Commands that wait or are under way. */
  pendingCount(): number
  /** Refuses new orders (`lost`), settles what was taken, shuts the file. Answers how far it had come. */
  closeDatabase(): Promise<Position>
  /** As `shut`, and ends the thread. */
  close(): Promise<void>
}

export interface WriterClientOptions {
  file: string
  /** More waiting commands than this are refused with Busy. */
  maxQueueLength: number
  /** On LiteFS: positions are read after each commit, a failed commit means that the lease went, numbers leap at each reign. */
  isOnLiteFs: boolean
  /** Called with each commit's events, in log order, before its answers are released. */
  onEvents: (events: LoggedEvent[], position: Position) => void
  onBatch: (size: number, tookMs: number) => void
  onError: (command: string, stack: string) => void
  /** The lease went under a batch or while it was opened: the door has shut itself until the next `open`. */
  onLeaseLost?: (cause: string) => void
}

/** Commands go to the writer together this often; a commit costs the same for one and for thirty. */
const BATCH_WINDOW_MS = 10
/** While none had company, the next one waits no longer than this. */
const IDLE_BATCH_WINDOW_MS = 3
/** So many do not wait for more. */
const FULL_BATCH_SIZE = 32

/** Starts the writer, which loads while the door is still shut. */
export function createWriterClient(
  options: WriterClientOptions,
  source: WriterTransport = spawnWriter(options.file, options.isOnLiteFs),
): WriterClient {
  return new TransportWriterClient(options, source)
}

interface PendingCommand {
  command: WriteCommandName
  resolve: (carried: CommandOutcome) => void
}

type WriterReply = Exclude<FromWriter, { kind: 'batch' }>
type WriterRequestBody = { kind: 'open'; clockOffsetMs: number } | { kind: 'shut' } | { kind: 'close' }

class TransportWriterClient implements WriterClient {
  private readonly options: WriterClientOptions
  private readonly transport: WriterTransport
  private readonly throttle = new CoalescingThrottle(
    () => (this.lastBatchSize > 1 ? BATCH_WINDOW_MS : IDLE_BATCH_WINDOW_MS),
    () => this.sendBatch(),
  )
  private readonly pendingCommands = new Map<number, PendingCommand>()
  private readonly pendingRequests = new Map<number, (reply: WriterReply) => void>()
  private unsentJobs: WriteJob[] = []
  private lastBatchSize = 0
  private lastJobId = 0
  private lastRequestId = 0
  private isOpen = false
  private position = ZERO_POSITION

  constructor(options: WriterClientOptions, source: WriterTransport) {
    this.options = options
    this.transport = source
    source.onMessage((message) => this.handleMessage(message))
  }

  async openDatabase({ clockOffsetMs }: { clockOffsetMs: number }): Promise<Position | 'lost'> {
    const reply = await this.request({ kind: 'open', clockOffsetMs })
    if (reply.kind === 'unusable') throw new DatabaseError(reply.message)
    return reply.kind === 'opened' ? reply.position : 'lost'
  }

  submit(order: CommandEnvelope): Promise<CommandOutcome> {
    if (!this.isOpen) return Promise.resolve('lost')
    const { pendingCommands, position } = this
    if (pendingCommands.size >= this.options.maxQueueLength)
      return Promise.resolve({ refusal: refuse('Busy').body, position })
    return new Promise((resolve) => {
      const id = ++this.lastJobId
      pendingCommands.set(id, { command: order.command, resolve })
      const { command, actor, input, clientId, actorContext } = order
      const waiting = this.unsentJobs.push({ id, command, actor, input, clientId, actorContext: actorContext })
      this.throttle.schedule(waiting >= FULL_BATCH_SIZE)
    })
  }

  pendingCount(): number {
    return this.pendingCommands.size
  }

  async closeDatabase(): Promise<Position> {
    await this.request({ kind: 'shut' })
    // Whoever asked takes the answer up in this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    return this.position
  }

  async close(): Promise<void> {
    await this.request({ kind: 'close' })
    await this.transport.ended
  }

  /** Whatever it is, no order gets past it: those of before are sent first, and new ones are not taken. */
  private request(request: WriterRequestBody): Promise<WriterReply> {
    this.isOpen = false
    this.sendBatch()
    const id = ++this.lastRequestId
    return new Promise((resolve) => {
      this.pendingRequests.set(id, resolve)
      this.transport.post({ ...request, id } satisfies WriterRequest)
    })
  }

  private sendBatch(): void {
    if (this.unsentJobs.length === 0) return
    const jobs = this.unsentJobs
    this.unsentJobs = []
    this.lastBatchSize = jobs.length
    this.transport.post(jobs)
  }

  private handleMessage(message: FromWriter): void {
    if (message.kind === 'batch') {
      this.position = message.position
      this.options.onEvents(message.batch.events, message.position)
      this.options.onBatch(message.batch.results.length, message.batch.durationMs)
      for (const done of message.batch.results) this.resolveCommand(done)
      return
    }
    if (message.kind === 'lost') this.handleLeaseLost(message.cause)
    if (message.kind === 'opened') {
      this.position = message.position
      this.isOpen = message.id === this.lastRequestId
    }
    if (message.id !== null) this.resolveRequest(message.id, message)
  }

  private resolveCommand(done: WriteResult): void {
    const asked = this.pendingCommands.get(done.id)
    this.pendingCommands.delete(done.id)
    if (done.errorStack) this.options.onError(asked?.command ?? '', done.errorStack)
    const { position } = this
    asked?.resolve(done.refusal ? { refusal: done.refusal, position } : { answer: done.answer ?? {}, position })
  }

  /** The writer drops what was posted meanwhile: nothing of it is carried out before the next `open`. */
  private handleLeaseLost(cause: string): void {
    this.isOpen = false
    this.unsentJobs = []
    const orders = [...this.pendingCommands.values()]
    this.pendingCommands.clear()
    for (const { resolve } of orders) resolve('lost')
    this.options.onLeaseLost?.(cause)
  }

  private resolveRequest(id: number, reply: WriterReply): void {
    const resolve = this.pendingRequests.get(id)
    this.pendingRequests.delete(id)
    resolve?.(reply)
  }
}
