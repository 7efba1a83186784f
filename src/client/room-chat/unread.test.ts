import { describe, expect, test } from 'vitest'
import type { Bubble } from './state.ts'
import { answered, countUnread, readOn, startReading } from './unread.ts'

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

describe('what the reader has seen of a thread', () => {
  test('history is read, and has no line', () => {
    const reading = readOn(startReading(history), history, false)
    expect(countUnread(reading, history)).toBe(0)
    expect(reading.lineAfter).toBeNull()
  })

  test('messages of others that come while the reader looks away are counted, own ones are not', () => {
    const bubbles = [...history, said(3), said(4, true), said(5), said(null, true)]
    expect(countUnread(startReading(history), bubbles)).toBe(2)
  })

  test('the line comes before the first of them, and more messages do not move it', () => {
    const reading = startReading(history)
    const first = readOn(reading, [...history, said(3)], false)
    expect(first.lineAfter).toBe('k2')
    expect(readOn(first, [...history, said(3), said(4)], false)).toBe(first)
  })

  test('catching up reads all and leaves the line where it is; looking away again moves it', () => {
    const bubbles = [...history, said(3)]
    const away = readOn(startReading(history), bubbles, false)
    const back = readOn(away, bubbles, true)
    expect(countUnread(back, bubbles)).toBe(0)
    expect(back.lineAfter).toBe('k2')
    expect(readOn(back, bubbles, false).lineAfter).toBe('k2')
    expect(readOn(back, [...bubbles, said(4)], false).lineAfter).toBe('k3')
  })

  test('an answer takes the line away', () => {
    const bubbles = [...history, said(3)]
    const away = readOn(startReading(history), bubbles, false)
    expect(answered(away, bubbles)).toEqual({ seenId: 3, lineAfter: null })
  })

  test('while the reader looks, messages come in without a line', () => {
    const bubbles = [...history, said(3)]
    const reading = readOn(startReading(history), bubbles, true)
    expect(reading).toEqual({ seenId: 3, lineAfter: null })
    expect(readOn(reading, bubbles, true)).toBe(reading)
  })

  test('in a thread that began empty the first message has no line: there is nothing before it', () => {
    expect(readOn(startReading([]), [said(1)], false).lineAfter).toBeNull()
  })
})
