/**
 * The ids that one part of the index takes. A search looks at one part after another, each by a read of its own, so no
 * read takes longer than a part does, however often a word was said.
 */
const PART_IDS = 2 ** 16

/** Which part of the index a message's words are in. */
export function partOf(messageId: number): number {
  return Math.floor(messageId / PART_IDS)
}

/** The lowest id of a part. */
export function lowestIdOf(part: number): number {
  return part * PART_IDS
}

/** A word as the index keeps it: apart from the same word in other rooms and parts. `§` is in no word. */
export function indexed(roomId: number, part: number, word: string): string {
  return `${roomId}§${part}§${word}`
}
