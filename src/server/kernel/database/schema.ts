import type { LoggedEventName } from '../../../shared/protocol/catalogue.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { Audience, Stream } from './streams.ts'

/** SQLite has no booleans: 0 or 1. */
export type Flag = 0 | 1

/**
 * The tables after all migrations. Columns have the same names in SQL and in TypeScript. Here are those of the core; a
 * feature's `tables.ts` adds its own by declaration merging.
 */
export interface Database {
  event: {
    seq: number
    stream: Stream
    actorId: UserId | null
    audience: Audience | null
    name: LoggedEventName
    payload: Uint8Array
    at: number
  }
  eventGap: { fromSeq: number; toSeq: number }
  commandAnswer: {
    userId: UserId
    clientId: string
    inputHash: Uint8Array
    answer: string
    expiresAt: number
  }
  migration: { id: number; name: string; hash: string; oldestCode: number; at: number }
}
