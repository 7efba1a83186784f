import { searchMessages } from '../room-chat/search-messages.ts'

/**
 * Reads that can take more than 2 ms: functions of (reader, input) that run in the read worker. Each consists of short
 * queries, because a replica applies no changes while a query runs.
 */
export const slowReads = { searchMessages }

export type SlowReadName = keyof typeof slowReads
export type SlowReadInput<N extends SlowReadName> = Parameters<(typeof slowReads)[N]>[1]
export type SlowReadAnswer<N extends SlowReadName> = ReturnType<(typeof slowReads)[N]>
