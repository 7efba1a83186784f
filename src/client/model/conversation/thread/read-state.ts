import type { MessageId } from '../../../../shared/protocol/ids.ts'
import type { Bubble } from '../store/message-types.ts'

/** The reader's progress in a thread. */
export interface ReadState {
  /** The highest message id that was loaded while the reader was at the end. */
  seenId: MessageId
  /** The unread divider follows the message with this id, removed or not; null without a divider. */
  dividerAfterId: MessageId | null
  /** The number of messages of other users since the reader last was at the end. */
  unreadCount: number
  /** The highest message id that is counted. */
  countedId: MessageId
}

/** The state of a newly opened thread: its messages are read. */
export function initialReadState(bubbles: readonly Bubble[]): ReadState {
  const seenId = highestId(bubbles)
  return { seenId, dividerAfterId: null, unreadCount: 0, countedId: seenId }
}

/** Whether the reader is at the end, in a visible tab; and whether all messages since `seenId` are still loaded. */
export interface ScrollPosition {
  isFollowing: boolean
  hasGap: boolean
}

/**
 * Advances the state. The unread divider precedes the first message that arrives while the reader is away, and stays
 * until the reader has caught up and leaves again, or sends a message.
 */
export function advanceReadState(
  reading: ReadState,
  bubbles: readonly Bubble[],
  { isFollowing, hasGap }: ScrollPosition,
): ReadState {
  const highest = highestId(bubbles)
  if (isFollowing)
    return withChange(reading, { seenId: Math.max(reading.seenId, highest), unreadCount: 0, countedId: highest })
  const first = bubbles.findIndex((bubble) => isNew(bubble, reading.seenId))
  // With a gap before the end only the latest messages are known: the others were counted on arrival.
  const unread = hasGap ? reading.unreadCount + countNew(bubbles, reading.countedId) : countNew(bubbles, reading.seenId)
  const lineAfter = highestId(bubbles.slice(0, Math.max(first, 0))) || reading.dividerAfterId
  return withChange(reading, {
    dividerAfterId: lineAfter,
    unreadCount: unread,
    countedId: Math.max(reading.countedId, highest),
  })
}

/** The key of the bubble before the unread divider; null without a divider or when no bubble follows it. */
export function findDividerKey({ dividerAfterId }: ReadState, bubbles: readonly Bubble[]): string | null {
  if (dividerAfterId === null) return null
  const index = bubbles.findLastIndex(({ id }) => id !== null && id <= dividerAfterId)
  return index < bubbles.length - 1 ? (bubbles[index]?.key ?? null) : null
}

/** Called when the reader sends a message: everything before it is read. */
export function onOwnMessage(reading: ReadState, bubbles: readonly Bubble[]): ReadState {
  const seenId = Math.max(reading.seenId, highestId(bubbles))
  return { seenId, dividerAfterId: null, unreadCount: 0, countedId: seenId }
}

function withChange(reading: ReadState, change: Partial<ReadState>): ReadState {
  const after = { ...reading, ...change }
  const isSame = (Object.keys(after) as (keyof ReadState)[]).every((name) => after[name] === reading[name])
  return isSame ? reading : after
}

function countNew(bubbles: readonly Bubble[], afterId: MessageId): number {
  return bubbles.filter((bubble) => isNew(bubble, afterId)).length
}

function isNew(bubble: Bubble, afterId: MessageId): boolean {
  return !bubble.isOwn && bubble.id !== null && bubble.id > afterId
}

function highestId(bubbles: readonly Bubble[]): number {
  return bubbles.reduce((highest, { id }) => Math.max(highest, id ?? 0), 0)
}
