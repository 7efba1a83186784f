import type { Position } from '../regions/replication/position.ts'
import type { BatchResult, WriteJob } from './writer.ts'

/** What the region asks of the writer besides commands; each is answered under its id. `close` ends the thread. */
export type WriterRequest =
  | { kind: 'open'; id: number; clockOffsetMs: number }
  | { kind: 'shut'; id: number }
  | { kind: 'close'; id: number }

/** What the region says, carried out in the order in which it was said. Jobs are dropped while the file is shut. */
export type ToWriter = WriteJob[] | WriterRequest

export type FromWriter =
  | { kind: 'opened'; id: number; position: Position }
  /** The file cannot be used as it is. */
  | { kind: 'unusable'; id: number; message: string }
  | { kind: 'batch'; batch: BatchResult; position: Position }
  /** The lease went: what was not answered is lost, and the file is shut. With an id it is the answer to `open`. */
  | { kind: 'lost'; id: number | null; cause: string }
  | { kind: 'shut'; id: number; position: Position }
