import type { MessageId } from '../../../shared/protocol/ids.ts'
import type { Bubble } from '../store/bubble.ts'

/** What the reader has seen of a thread. */
export interface ReadState {
  /** The highest message id that was there while the reader looked at the end of the thread. */
  seenId: MessageId
  /** The line of new messages stands behind the message with this id, gone or not; null when there is none. */
  dividerAfterId: MessageId | null
  /** How many messages of others came since the reader last looked. */
  unreadCount: number
  /** The highest message id that is counted. */
  countedId: MessageId
}

/** Whoever opens a thread has seen what it opens with. */
export function initialReadState(bubbles: readonly Bubble[]): ReadState {
  const seenId = highestId(bubbles)
  return { seenId, dividerAfterId: null, unreadCount: 0, countedId: seenId }
}

/** How the reader looks at a thread: at its end, in a tab in front; and whether all since `seenId` is still in it. */
export interface ScrollPosition {
  isFollowing: boolean
  hasGap: boolean
}

/**
 * Reads on. The line is put before the first message that comes while the reader looks away, and stays there until the
 * reader has caught up and looks away again, or answers.
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
  // Of a thread that is apart from its end only the latest messages are known: the others were counted when they came.
  const unread = hasGap ? reading.unreadCount + countNew(bubbles, reading.countedId) : countNew(bubbles, reading.seenId)
  const lineAfter = highestId(bubbles.slice(0, Math.max(first, 0))) || reading.dividerAfterId
  return withChange(reading, {
    dividerAfterId: lineAfter,
    unreadCount: unread,
    countedId: Math.max(reading.countedId, highest),
  })
}

/** The key of the bubble behind which the line stands. What was new may be gone again: under a line something stands. */
export function findDividerKey({ dividerAfterId }: ReadState, bubbles: readonly Bubble[]): string | null {
  if (dividerAfterId === null) return null
  const index = bubbles.findLastIndex(({ id }) => id !== null && id <= dividerAfterId)
  return index < bubbles.length - 1 ? (bubbles[index]?.key ?? null) : null
}

/** The reader has said something, so everything before it was read. */
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
