import { dayNumber, isSameDay } from '../../ui/format/turkish-time.ts'
import type { Bubble } from '../store/bubble.ts'

/** What one person said in one go. */
export interface BubbleRun {
  /** The key of its first bubble: it stays while the group grows. */
  key: string
  sender: Bubble['sender']
  isOwn: boolean
  bubbles: Bubble[]
}

/** What was said on one calendar day. */
export interface TimelineDay {
  key: string
  /** When its first bubble was said, in epoch milliseconds. */
  startsAt: number
  runs: BubbleRun[]
}

/** After a silence this long the same person's next words show the face and the name again. */
const MAX_RUN_GAP_MS = 5 * 60 * 1000

/**
 * Bubbles, oldest first, as days of groups. `breakAfter` is the key of the last bubble that the reader has seen:
 * the line of new messages comes behind it, so a group ends there.
 */
export function groupIntoDays(bubbles: readonly Bubble[], breakAfter: string | null = null): TimelineDay[] {
  const days: TimelineDay[] = []
  let before: Bubble | undefined
  for (const bubble of bubbles) {
    let day = days.at(-1)
    if (!day || !before || !isSameDay(before.createdAt, bubble.createdAt)) {
      // The day stays itself when something earlier of it comes in above.
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

/** The key of the group in which each bubble was drawn, by the bubble's own. */
export type RunKeys = ReadonlyMap<string, string>

/** Gives groups the keys under which they were drawn before, so that they stay themselves when more comes in above. */
export function reuseRunKeys(days: readonly TimelineDay[], drawn: RunKeys): TimelineDay[] {
  const used = new Set<string>()
  const keyOf = ({ key, bubbles }: BubbleRun): string => {
    const before = bubbles.map((bubble) => drawn.get(bubble.key)).find((one) => one !== undefined && !used.has(one))
    // A group that was parted has two parts that were drawn under one key.
    const own = before ?? (used.has(key) ? `${key} again` : key)
    used.add(own)
    return own
  }
  return days.map((day) => ({ ...day, runs: day.runs.map((run) => ({ ...run, key: keyOf(run) })) }))
}

/** The keys under which these groups are drawn. */
export function runKeysOf(days: readonly TimelineDay[]): RunKeys {
  const groups = days.flatMap((day) => day.runs)
  return new Map(groups.flatMap(({ key, bubbles }) => bubbles.map((bubble) => [bubble.key, key] as const)))
}

function isSameRun(before: Bubble, bubble: Bubble): boolean {
  return before.sender.id === bubble.sender.id && bubble.createdAt - before.createdAt < MAX_RUN_GAP_MS
}

const EMOJI_ONLY =
  /^(?:\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier}|\u200D\p{Extended_Pictographic})*\s?){1,3}$/u

/** Whether a message is nothing but one to three emoji, which are then shown large. */
export function isEmojiOnly(content: string): boolean {
  return content.length < 40 && EMOJI_ONLY.test(content)
}
