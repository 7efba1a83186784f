import type { MessageId, RoomId } from '../../shared/protocol/ids.ts'

/**
 * The ids that one part of the index takes. A search looks at one part after another, each by a read of its own, so no
 * read takes longer than a part does, however often a word was said.
 */
const IDS_PER_SHARD = 2 ** 16

/** Which part of the index a message's words are in. */
export function shardOf(messageId: MessageId): number {
  return Math.floor(messageId / IDS_PER_SHARD)
}

/** The lowest id of a part. */
export function firstIdOfShard(part: number): number {
  return part * IDS_PER_SHARD
}

/** A word as the index keeps it: apart from the same word in other rooms and parts. `§` is in no word. */
export function scopeTerm(roomId: RoomId, part: number, word: string): string {
  return `${roomId}§${part}§${word}`
}
