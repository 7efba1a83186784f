import type { RefusalBody } from '../../shared/protocol/refusals.ts'
import type { Position } from '../regions/position.ts'
import type { WriteCommandName } from './commands.ts'
import type { LoggedEvent } from './events.ts'
import type { Claims, Moment } from './transact.ts'

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
}
