import type { SlowReadName } from './slow-reads.ts'

/** What the region asks of the reader's thread; `close` ends it. */
export type ToReadWorker = { id: number; name: SlowReadName; input: object } | 'close'

/** The answer, or the stack of the bug that took its place. */
export type FromReadWorker = { id: number; answer: object } | { id: number; errorStack: string }
