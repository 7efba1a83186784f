import { describe, expect, test } from 'vitest'
import type { Bubble } from '../store/message-types.ts'
import { advanceReadState, findDividerKey, initialReadState, onOwnMessage } from './read-state.ts'

function said(id: number | null, isOwn = false): Bubble {
  return {
    key: `k${id}`,
    id,
    content: 'Selam',
    createdAt: 1_700_000_000_000 + (id ?? 999),
    sender: { id: isOwn ? 1 : 2, username: 'kişi', gender: null, avatarUrl: null, isGuest: true, role: 'guest' },
    isOwn,
    status: id === null ? 'pending' : 'sent',
  }
}

const history = [said(1), said(2)]
const looking = { isFollowing: true, hasGap: false }
const elsewhere = { isFollowing: false, hasGap: false }

describe('read state', () => {
  test('counts the history as read, without an unread divider', () => {
    const reading = advanceReadState(initialReadState(history), history, elsewhere)
    expect(reading).toMatchObject({ unreadCount: 0, dividerAfterId: null })
  })

  test('counts messages of others while the reader is away, but no own ones', () => {
    const bubbles = [...history, said(3), said(4, true), said(5), said(null, true)]
    const reading = advanceReadState(initialReadState(history), bubbles, elsewhere)
    expect(reading.unreadCount).toBe(2)
    expect(advanceReadState(reading, bubbles.slice(0, -2), elsewhere).unreadCount).toBe(1)
  })

  test('[CHAT-39] keeps counting messages that the thread trims meanwhile', () => {
    const waits = advanceReadState(initialReadState(history), [...history, said(3), said(4)], elsewhere)
    const apart = { isFollowing: false, hasGap: true }
    const before = advanceReadState(waits, [said(4), said(5)], apart)
    expect(before.unreadCount).toBe(3)
    expect(advanceReadState(before, [said(4), said(5)], apart)).toBe(before)
    const after = advanceReadState(before, [said(6), said(7, true)], apart)
    expect(after.unreadCount).toBe(4)
    expect(advanceReadState(after, [said(6), said(7, true)], looking).unreadCount).toBe(0)
  })

  test('puts the divider before the first new message and keeps it there', () => {
    const reading = initialReadState(history)
    const first = advanceReadState(reading, [...history, said(3)], elsewhere)
    expect(first.dividerAfterId).toBe(2)
    expect(advanceReadState(first, [...history, said(3), said(4)], elsewhere).dividerAfterId).toBe(2)
  })

  test('keeps the divider when the reader catches up, and moves it when they leave again', () => {
    const bubbles = [...history, said(3)]
    const away = advanceReadState(initialReadState(history), bubbles, elsewhere)
    const back = advanceReadState(away, bubbles, looking)
    expect(back).toMatchObject({ unreadCount: 0, dividerAfterId: 2 })
    expect(advanceReadState(back, bubbles, elsewhere).dividerAfterId).toBe(2)
    expect(advanceReadState(back, [...bubbles, said(4)], elsewhere).dividerAfterId).toBe(3)
  })

  test('removes the divider when the reader sends a message', () => {
    const bubbles = [...history, said(3)]
    const away = advanceReadState(initialReadState(history), bubbles, elsewhere)
    expect(onOwnMessage(away, bubbles)).toMatchObject({ seenId: 3, unreadCount: 0, dividerAfterId: null })
  })

  test('shows no divider while the reader is at the end', () => {
    const bubbles = [...history, said(3)]
    const reading = advanceReadState(initialReadState(history), bubbles, looking)
    expect(reading).toMatchObject({ seenId: 3, dividerAfterId: null })
    expect(advanceReadState(reading, bubbles, looking)).toBe(reading)
  })

  test('[DM-55] puts the divider before the first unread message of a thread that opens with some', () => {
    const bubbles = [...history, said(3, true), said(4), said(5)]
    const reading = advanceReadState({ seenId: 2, dividerAfterId: 2, unreadCount: 2, countedId: 5 }, bubbles, elsewhere)
    expect(reading).toMatchObject({ unreadCount: 2, dividerAfterId: 3 })
    expect(advanceReadState(reading, bubbles, looking)).toMatchObject({ unreadCount: 0, dividerAfterId: 3 })
    const read = advanceReadState({ ...initialReadState(bubbles), seenId: 5 }, bubbles, elsewhere)
    expect(read).toMatchObject({ unreadCount: 0, dividerAfterId: null })
  })

  test('shows no divider before the first message of an empty thread', () => {
    expect(advanceReadState(initialReadState([]), [said(1)], elsewhere).dividerAfterId).toBeNull()
  })

  test('[CHAT-40] keeps the divider when messages before it are removed, and drops it with the new ones', () => {
    const bubbles = [...history, said(3)]
    const away = advanceReadState(initialReadState(history), bubbles, elsewhere)
    expect(findDividerKey(away, bubbles)).toBe('k2')
    expect(findDividerKey(away, [said(1), said(3)])).toBe('k1')
    expect(findDividerKey(away, history)).toBeNull()
    expect(advanceReadState(away, history, elsewhere).unreadCount).toBe(0)
    expect(findDividerKey(away, [])).toBeNull()
  })
})
