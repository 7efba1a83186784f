import { describe, expect, test } from 'vitest'
import type { Bubble } from '../store/bubble.ts'
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

describe('what the reader has seen of a thread', () => {
  test('history is read, and has no line', () => {
    const reading = advanceReadState(initialReadState(history), history, elsewhere)
    expect(reading).toMatchObject({ unreadCount: 0, dividerAfterId: null })
  })

  test('messages of others that come while the reader looks away are counted, own ones are not', () => {
    const bubbles = [...history, said(3), said(4, true), said(5), said(null, true)]
    const reading = advanceReadState(initialReadState(history), bubbles, elsewhere)
    expect(reading.unreadCount).toBe(2)
    expect(advanceReadState(reading, bubbles.slice(0, -2), elsewhere).unreadCount).toBe(1)
  })

  test('[CHAT-39] those that the thread lets go of meanwhile stay counted', () => {
    const waits = advanceReadState(initialReadState(history), [...history, said(3), said(4)], elsewhere)
    const apart = { isFollowing: false, hasGap: true }
    const before = advanceReadState(waits, [said(4), said(5)], apart)
    expect(before.unreadCount).toBe(3)
    expect(advanceReadState(before, [said(4), said(5)], apart)).toBe(before)
    const after = advanceReadState(before, [said(6), said(7, true)], apart)
    expect(after.unreadCount).toBe(4)
    expect(advanceReadState(after, [said(6), said(7, true)], looking).unreadCount).toBe(0)
  })

  test('the line comes before the first of them, and more messages do not move it', () => {
    const reading = initialReadState(history)
    const first = advanceReadState(reading, [...history, said(3)], elsewhere)
    expect(first.dividerAfterId).toBe(2)
    expect(advanceReadState(first, [...history, said(3), said(4)], elsewhere).dividerAfterId).toBe(2)
  })

  test('catching up reads all and leaves the line where it is; looking away again moves it', () => {
    const bubbles = [...history, said(3)]
    const away = advanceReadState(initialReadState(history), bubbles, elsewhere)
    const back = advanceReadState(away, bubbles, looking)
    expect(back).toMatchObject({ unreadCount: 0, dividerAfterId: 2 })
    expect(advanceReadState(back, bubbles, elsewhere).dividerAfterId).toBe(2)
    expect(advanceReadState(back, [...bubbles, said(4)], elsewhere).dividerAfterId).toBe(3)
  })

  test('an answer takes the line away', () => {
    const bubbles = [...history, said(3)]
    const away = advanceReadState(initialReadState(history), bubbles, elsewhere)
    expect(onOwnMessage(away, bubbles)).toMatchObject({ seenId: 3, unreadCount: 0, dividerAfterId: null })
  })

  test('while the reader looks, messages come in without a line', () => {
    const bubbles = [...history, said(3)]
    const reading = advanceReadState(initialReadState(history), bubbles, looking)
    expect(reading).toMatchObject({ seenId: 3, dividerAfterId: null })
    expect(advanceReadState(reading, bubbles, looking)).toBe(reading)
  })

  test('in a thread that began empty the first message has no line: there is nothing before it', () => {
    expect(advanceReadState(initialReadState([]), [said(1)], elsewhere).dividerAfterId).toBeNull()
  })

  test('[CHAT-40] the line stands where it stood when what was before it goes, and goes with what was new', () => {
    const bubbles = [...history, said(3)]
    const away = advanceReadState(initialReadState(history), bubbles, elsewhere)
    expect(findDividerKey(away, bubbles)).toBe('k2')
    expect(findDividerKey(away, [said(1), said(3)])).toBe('k1')
    expect(findDividerKey(away, history)).toBeNull()
    expect(advanceReadState(away, history, elsewhere).unreadCount).toBe(0)
    expect(findDividerKey(away, [])).toBeNull()
  })
})
