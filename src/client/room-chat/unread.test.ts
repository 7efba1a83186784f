import { describe, expect, test } from 'vitest'
import type { Bubble } from './state.ts'
import { answered, lineKey, readOn, startReading } from './unread.ts'

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
const looking = { isLooking: true, isApart: false }
const elsewhere = { isLooking: false, isApart: false }

describe('what the reader has seen of a thread', () => {
  test('history is read, and has no line', () => {
    const reading = readOn(startReading(history), history, elsewhere)
    expect(reading).toMatchObject({ unread: 0, lineAfter: null })
  })

  test('messages of others that come while the reader looks away are counted, own ones are not', () => {
    const bubbles = [...history, said(3), said(4, true), said(5), said(null, true)]
    const reading = readOn(startReading(history), bubbles, elsewhere)
    expect(reading.unread).toBe(2)
    expect(readOn(reading, bubbles.slice(0, -2), elsewhere).unread).toBe(1)
  })

  test('[CHAT-39] those that the thread lets go of meanwhile stay counted', () => {
    const waits = readOn(startReading(history), [...history, said(3), said(4)], elsewhere)
    const apart = { isLooking: false, isApart: true }
    const before = readOn(waits, [said(4), said(5)], apart)
    expect(before.unread).toBe(3)
    expect(readOn(before, [said(4), said(5)], apart)).toBe(before)
    const after = readOn(before, [said(6), said(7, true)], apart)
    expect(after.unread).toBe(4)
    expect(readOn(after, [said(6), said(7, true)], looking).unread).toBe(0)
  })

  test('the line comes before the first of them, and more messages do not move it', () => {
    const reading = startReading(history)
    const first = readOn(reading, [...history, said(3)], elsewhere)
    expect(first.lineAfter).toBe(2)
    expect(readOn(first, [...history, said(3), said(4)], elsewhere).lineAfter).toBe(2)
  })

  test('catching up reads all and leaves the line where it is; looking away again moves it', () => {
    const bubbles = [...history, said(3)]
    const away = readOn(startReading(history), bubbles, elsewhere)
    const back = readOn(away, bubbles, looking)
    expect(back).toMatchObject({ unread: 0, lineAfter: 2 })
    expect(readOn(back, bubbles, elsewhere).lineAfter).toBe(2)
    expect(readOn(back, [...bubbles, said(4)], elsewhere).lineAfter).toBe(3)
  })

  test('an answer takes the line away', () => {
    const bubbles = [...history, said(3)]
    const away = readOn(startReading(history), bubbles, elsewhere)
    expect(answered(away, bubbles)).toMatchObject({ seenId: 3, unread: 0, lineAfter: null })
  })

  test('while the reader looks, messages come in without a line', () => {
    const bubbles = [...history, said(3)]
    const reading = readOn(startReading(history), bubbles, looking)
    expect(reading).toMatchObject({ seenId: 3, lineAfter: null })
    expect(readOn(reading, bubbles, looking)).toBe(reading)
  })

  test('in a thread that began empty the first message has no line: there is nothing before it', () => {
    expect(readOn(startReading([]), [said(1)], elsewhere).lineAfter).toBeNull()
  })

  test('[CHAT-40] the line stands where it stood when what was before it goes, and goes with what was new', () => {
    const bubbles = [...history, said(3)]
    const away = readOn(startReading(history), bubbles, elsewhere)
    expect(lineKey(away, bubbles)).toBe('k2')
    expect(lineKey(away, [said(1), said(3)])).toBe('k1')
    expect(lineKey(away, history)).toBeNull()
    expect(readOn(away, history, elsewhere).unread).toBe(0)
    expect(lineKey(away, [])).toBeNull()
  })
})
