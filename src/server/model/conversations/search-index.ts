import type { MessageId } from '../../../shared/protocol/ids.ts'

/** The tables of the search index of each kind of conversation. */
export const searchIndexes = {
  room: {
    messages: 'message',
    place: 'roomId',
    words: 'messageWord',
    terms: 'messageTerm',
    progress: 'messageIndex',
  },
  direct: {
    messages: 'directMessage',
    place: 'conversationId',
    words: 'directMessageWord',
    terms: 'directMessageTerm',
    progress: 'directMessageIndex',
  },
} as const
export type SearchIndex = (typeof searchIndexes)[keyof typeof searchIndexes]

/**
 * Message ids per shard of the search index. A search reads one shard at a time, which bounds the time of a read however
 * common a word is.
 */
const IDS_PER_SHARD = 2 ** 16

/** The shard that a message is indexed in. */
export function shardOf(messageId: MessageId): number {
  return Math.floor(messageId / IDS_PER_SHARD)
}

/** The lowest message id of a shard. */
export function firstIdOfShard(shard: number): number {
  return shard * IDS_PER_SHARD
}

/** The index term of a word, scoped by room or conversation and by shard. No word contains `§`. */
export function scopeTerm(placeId: number, shard: number, word: string): string {
  return `${placeId}§${shard}§${word}`
}
