import { describe, expect, test } from 'vitest'
import type { Bubble } from '../store/message-types.ts'
import { groupIntoDays, isEmojiOnly, reuseRunKeys, runKeysOf, type TimelineDay } from './timeline.ts'

const noon = Date.UTC(2025, 10, 12, 9, 0)
const minute = 60_000

function said(key: string, senderId: number, createdAt: number): Bubble {
  return {
    key,
    id: 1,
    content: key,
    createdAt,
    sender: { id: senderId, username: `kişi${senderId}`, gender: null, avatarUrl: null, isGuest: true, role: 'guest' },
    isOwn: senderId === 1,
    status: 'sent',
  }
}

function shapeOf(bubbles: Bubble[], breakAfter?: string): string[][] {
  return groupIntoDays(bubbles, breakAfter).map((day) =>
    day.runs.map((group) => group.bubbles.map((bubble) => bubble.key).join(' ')),
  )
}

describe('a thread as days of groups', () => {
  test('groups consecutive messages of one sender', () => {
    const bubbles = [
      said('a', 2, noon),
      said('b', 2, noon + minute),
      said('c', 1, noon + minute),
      said('d', 2, noon + minute),
    ]
    expect(shapeOf(bubbles)).toEqual([['a b', 'c', 'd']])
  })

  test('starts a new group after a pause of five minutes', () => {
    expect(shapeOf([said('a', 2, noon), said('b', 2, noon + 5 * minute)])).toEqual([['a', 'b']])
    expect(shapeOf([said('a', 2, noon), said('b', 2, noon + 5 * minute - 1)])).toEqual([['a b']])
  })

  test('ends the group and the day at midnight in Istanbul', () => {
    const midnight = Date.UTC(2025, 10, 12, 21, 0)
    expect(shapeOf([said('a', 2, midnight - 1), said('b', 2, midnight)])).toEqual([['a'], ['b']])
  })

  test('ends a group at the unread divider', () => {
    expect(shapeOf([said('a', 2, noon), said('b', 2, noon), said('c', 2, noon)], 'b')).toEqual([['a b', 'c']])
  })

  test('keeps the key of a growing group', () => {
    const [day] = groupIntoDays([said('a', 2, noon), said('b', 2, noon)])
    expect(day?.runs[0]?.key).toBe('a')
  })

  test('[CHAT-36] keeps the keys of days and groups when messages are added above or a divider splits them', () => {
    const keys = (days: TimelineDay[]) => days.map(({ key, runs }) => [key, ...runs.map((group) => group.key)])
    const late = [said('c', 2, noon), said('d', 2, noon), said('e', 3, noon)]
    const before = reuseRunKeys(groupIntoDays(late), new Map())
    const all = [said('a', 3, noon - minute), said('b', 2, noon - minute), ...late]
    const more = reuseRunKeys(groupIntoDays(all), runKeysOf(before))
    expect(keys(more)).toEqual([[before[0]?.key, 'a', 'c', 'e']])
    const parted = keys(reuseRunKeys(groupIntoDays(all, 'c'), runKeysOf(more))).flat()
    expect(parted).toHaveLength(5)
    expect(new Set(parted).size).toBe(5)
    expect(parted.slice(0, 3)).toEqual([before[0]?.key, 'a', 'c'])
  })

  test('shows no day without messages', () => {
    expect(groupIntoDays([])).toEqual([])
  })
})

test.each([
  ['🔥', true],
  ['❤️ 👍🏽', true],
  ['👨‍👩‍👧', true],
  ['🔥🔥🔥🔥', false],
  ['🔥 sıcak', false],
  ['12', false],
  ['', false],
])('%j has only emoji: %s', (content, expected) => {
  expect(isEmojiOnly(content)).toBe(expected)
})
