import type { Reader } from './read.ts'

/**
 * A read that can take more than 2 ms, which runs in the read worker: a function whose name is unique in the server. It
 * consists of short queries, because a replica applies no changes while a query runs.
 */
export type SlowRead<I extends object, A extends object> = (reader: Reader, input: I) => A

/** A slow read without the types of its input and answer, as the registry keeps it. */
export type AnySlowRead = (reader: Reader, input: never) => object
