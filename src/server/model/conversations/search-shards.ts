import type { MessageId, RoomId } from '../../../shared/protocol/ids.ts'

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

/** The index term of a word, scoped by room and shard. No word contains `§`. */
export function scopeTerm(roomId: RoomId, shard: number, word: string): string {
  return `${roomId}§${shard}§${word}`
}
