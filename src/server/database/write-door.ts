import { type RefusalBody, refuse } from '../../shared/protocol/refusals.ts'
import { Gather } from '../gather.ts'
import { BEGINNING, type Position } from '../regions/position.ts'
import type { WriteCommandName } from './commands.ts'
import type { LoggedEvent } from './events.ts'
import { DatabaseError } from './open.ts'
import type { Claims, Moment } from './transact.ts'
import type { Done, Job } from './writer.ts'
import type { Control, FromWriter } from './writer-messages.ts'
import { type WriterSource, writerThread } from './writer-source.ts'

/** One command on its way to the writer, in this region or in another. */
export interface Order {
  command: WriteCommandName
  /** Who acts, by session; the writer looks their role up itself. */
  actor: Claims | null
  input: object
  /** Makes a retry have one effect and get the same answer: the client's, or `region:` and a UUID. */
  clientId: string | null
  moment: Moment
}

/** What became of an order. `lost`: the lease went meanwhile, and whether it happened is not known: send it again. */
export type Carried = { answer: object; position: Position } | { refusal: RefusalBody; position: Position } | 'lost'

/** The door through which everything is written, open while this region is the primary. */
export interface WriteDoor {
  /** Opens the file for writing, migrates it, begins a reign. Rejects with a DatabaseError. `lost` when the lease went meanwhile. */
  open(reign: { clockOffsetMs: number }): Promise<Position | 'lost'>
  /** `lost` at once while the door is shut. Busy when too much waits. */
  carryOut(order: Order): Promise<Carried>
  /** Commands that wait or are under way. */
  waiting(): number
  /** Refuses new orders (`lost`), settles what was taken, shuts the file. Answers how far it had come. */
  shut(): Promise<Position>
  /** As `shut`, and ends the thread. */
  close(): Promise<void>
}

export interface WriteDoorOptions {
  file: string
  /** More waiting commands than this are refused with Busy. */
  queueLength: number
  /** On LiteFS: positions are read after each commit, a failed commit means that the lease went, numbers leap at each reign. */
  onLiteFs: boolean
  /** Called with each commit's events, in log order, before its answers are released. */
  onEvents: (events: LoggedEvent[], position: Position) => void
  onBatch: (size: number, tookMs: number) => void
  onBug: (command: string, stack: string) => void
  /** The lease went under a batch or while it was opened: the door has shut itself until the next `open`. */
  onLost?: (cause: string) => void
}

/** Commands go to the writer together this often; a commit costs the same for one and for thirty. */
const GATHER_MS = 10
/** While none had company, the next one waits no longer than this. */
const LONE_MS = 3
/** So many do not wait for more. */
const ENOUGH = 32

/** Starts the writer, which loads while the door is still shut. */
export function createWriteDoor(
  options: WriteDoorOptions,
  source: WriterSource = writerThread(options.file, options.onLiteFs),
): WriteDoor {
  return new SourceDoor(options, source)
}

interface Waiting {
  command: WriteCommandName
  resolve: (carried: Carried) => void
}

type Reply = Exclude<FromWriter, { kind: 'batch' }>
type Request = { kind: 'open'; clockOffsetMs: number } | { kind: 'shut' } | { kind: 'close' }

class SourceDoor implements WriteDoor {
  private readonly options: WriteDoorOptions
  private readonly source: WriterSource
  private readonly gathering = new Gather(
    () => (this.lastPosted > 1 ? GATHER_MS : LONE_MS),
    () => this.post(),
  )
  private readonly orders = new Map<number, Waiting>()
  private readonly requests = new Map<number, (reply: Reply) => void>()
  private outbox: Job[] = []
  private lastPosted = 0
  private lastId = 0
  private lastRequest = 0
  private isOpen = false
  private position = BEGINNING

  constructor(options: WriteDoorOptions, source: WriterSource) {
    this.options = options
    this.source = source
    source.onMessage((message) => this.hear(message))
  }

  async open({ clockOffsetMs }: { clockOffsetMs: number }): Promise<Position | 'lost'> {
    const reply = await this.request({ kind: 'open', clockOffsetMs })
    if (reply.kind === 'unusable') throw new DatabaseError(reply.message)
    return reply.kind === 'opened' ? reply.position : 'lost'
  }

  carryOut(order: Order): Promise<Carried> {
    if (!this.isOpen) return Promise.resolve('lost')
    const { orders, position } = this
    if (orders.size >= this.options.queueLength) return Promise.resolve({ refusal: refuse('Busy').body, position })
    return new Promise((resolve) => {
      const id = ++this.lastId
      orders.set(id, { command: order.command, resolve })
      const { command, actor, input, clientId, moment } = order
      const waiting = this.outbox.push({ id, command, actor, input, clientId, moment })
      this.gathering.schedule(waiting >= ENOUGH)
    })
  }

  waiting(): number {
    return this.orders.size
  }

  async shut(): Promise<Position> {
    await this.request({ kind: 'shut' })
    // Whoever asked takes the answer up in this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    return this.position
  }

  async close(): Promise<void> {
    await this.request({ kind: 'close' })
    await this.source.ended
  }

  /** Whatever it is, no order gets past it: those of before are sent first, and new ones are not taken. */
  private request(request: Request): Promise<Reply> {
    this.isOpen = false
    this.post()
    const id = ++this.lastRequest
    return new Promise((resolve) => {
      this.requests.set(id, resolve)
      this.source.post({ ...request, id } satisfies Control)
    })
  }

  private post(): void {
    if (this.outbox.length === 0) return
    const jobs = this.outbox
    this.outbox = []
    this.lastPosted = jobs.length
    this.source.post(jobs)
  }

  private hear(message: FromWriter): void {
    if (message.kind === 'batch') {
      this.position = message.position
      this.options.onEvents(message.batch.events, message.position)
      this.options.onBatch(message.batch.done.length, message.batch.tookMs)
      for (const done of message.batch.done) this.settle(done)
      return
    }
    if (message.kind === 'lost') this.lose(message.cause)
    if (message.kind === 'opened') {
      this.position = message.position
      this.isOpen = message.id === this.lastRequest
    }
    if (message.id !== null) this.reply(message.id, message)
  }

  private settle(done: Done): void {
    const asked = this.orders.get(done.id)
    this.orders.delete(done.id)
    if (done.bug) this.options.onBug(asked?.command ?? '', done.bug)
    const { position } = this
    asked?.resolve(done.refusal ? { refusal: done.refusal, position } : { answer: done.answer ?? {}, position })
  }

  /** The writer drops what was posted meanwhile: nothing of it is carried out before the next `open`. */
  private lose(cause: string): void {
    this.isOpen = false
    this.outbox = []
    const orders = [...this.orders.values()]
    this.orders.clear()
    for (const { resolve } of orders) resolve('lost')
    this.options.onLost?.(cause)
  }

  private reply(id: number, reply: Reply): void {
    const resolve = this.requests.get(id)
    this.requests.delete(id)
    resolve?.(reply)
  }
}
