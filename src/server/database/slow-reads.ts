import { searchMessages } from '../room-chat/search-messages.ts'

/**
 * Reads that can take more than two milliseconds: plain functions of (reader, input), run in the reader's thread. Each
 * makes short reads, because a replica takes nothing new in while one lasts.
 */
export const slowReads = { searchMessages }

export type SlowReadName = keyof typeof slowReads
export type SlowReadInput<N extends SlowReadName> = Parameters<(typeof slowReads)[N]>[1]
export type SlowReadAnswer<N extends SlowReadName> = ReturnType<(typeof slowReads)[N]>
