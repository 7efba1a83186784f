import { dayNumber, isSameDay } from '../../../core/ui/format/turkish-time.ts'
import type { Bubble } from '../store/message-types.ts'

/** Consecutive messages of one sender. */
export interface BubbleRun {
  /** The key of its first bubble: it stays while the group grows. */
  key: string
  sender: Bubble['sender']
  isOwn: boolean
  bubbles: Bubble[]
}

/** The messages of one calendar day. */
export interface TimelineDay {
  key: string
  /** The time of its first bubble, in epoch milliseconds. */
  startsAt: number
  runs: BubbleRun[]
}

/** After a pause this long the sender's next message shows the avatar and the name again. */
const MAX_RUN_GAP_MS = 5 * 60 * 1000

/**
 * Bubbles, oldest first, as days of groups. `breakAfter` is the key of the last bubble that the reader has seen:
 * the unread divider follows it, so a group ends there.
 */
export function groupIntoDays(bubbles: readonly Bubble[], breakAfter: string | null = null): TimelineDay[] {
  const days: TimelineDay[] = []
  let before: Bubble | undefined
  for (const bubble of bubbles) {
    let day = days.at(-1)
    if (!day || !before || !isSameDay(before.createdAt, bubble.createdAt)) {
      // The day keeps its key when earlier messages of it are added above.
      const key = String(dayNumber(bubble.createdAt))
      day = { key: days.some((one) => one.key === key) ? bubble.key : key, startsAt: bubble.createdAt, runs: [] }
      days.push(day)
    }
    const group = day.runs.at(-1)
    if (group && before && before.key !== breakAfter && isSameRun(before, bubble)) group.bubbles.push(bubble)
    else day.runs.push({ key: bubble.key, sender: bubble.sender, isOwn: bubble.isOwn, bubbles: [bubble] })
    before = bubble
  }
  return days
}

/** The key of each bubble's group at the last draw, by bubble key. */
export type RunKeys = ReadonlyMap<string, string>

/** Gives groups the keys of the last draw, so that React keeps their elements when messages are added above. */
export function reuseRunKeys(days: readonly TimelineDay[], drawn: RunKeys): TimelineDay[] {
  const used = new Set<string>()
  const keyOf = ({ key, bubbles }: BubbleRun): string => {
    const before = bubbles.map((bubble) => drawn.get(bubble.key)).find((one) => one !== undefined && !used.has(one))
    // Both parts of a split group had the same key.
    const groupKey = before ?? (used.has(key) ? `${key} again` : key)
    used.add(groupKey)
    return groupKey
  }
  return days.map((day) => ({ ...day, runs: day.runs.map((run) => ({ ...run, key: keyOf(run) })) }))
}

/** The keys of these groups, by bubble key. */
export function runKeysOf(days: readonly TimelineDay[]): RunKeys {
  const groups = days.flatMap((day) => day.runs)
  return new Map(groups.flatMap(({ key, bubbles }) => bubbles.map((bubble) => [bubble.key, key] as const)))
}

function isSameRun(before: Bubble, bubble: Bubble): boolean {
  return before.sender.id === bubble.sender.id && bubble.createdAt - before.createdAt < MAX_RUN_GAP_MS
}

const EMOJI_ONLY =
  /^(?:\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier}|\u200D\p{Extended_Pictographic})*\s?){1,3}$/u

/** Whether a message is only one to three emoji, which are shown large. */
export function isEmojiOnly(content: string): boolean {
  return content.length < 40 && EMOJI_ONLY.test(content)
}
