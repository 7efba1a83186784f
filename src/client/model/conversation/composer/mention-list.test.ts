import { describe, expect, it } from 'vitest'
import { matchNames, mentionAtCaret } from './mention-list.tsx'

describe('mentionAtCaret', () => {
  it.each([
    ['@', { start: 0, query: '' }],
    ['selam @Ay', { start: 6, query: 'Ay' }],
    ['selam\n(@ş', { start: 7, query: 'ş' }],
    ['selam @[{Ay', { start: 6, query: 'Ay' }],
    ['@[', { start: 0, query: '' }],
    ['@[{Ay}]', null],
    ['selam @Ay ', null],
    ['ali@ex', null],
    ['@@', null],
    ['selam', null],
  ])('[CHAT-26] sees in %j, caret at the end, %j', (text, found) => {
    expect(mentionAtCaret(text, text.length)).toEqual(found)
  })

  it('[CHAT-26] ignores text after the caret', () => {
    expect(mentionAtCaret('@ayşe selam', 3)).toEqual({ start: 0, query: 'ay' })
    expect(mentionAtCaret('@ayşe selam', 8)).toBeNull()
  })
})

describe('matchNames', () => {
  const people = ['Veli', 'Ali', 'Işıl', 'Alihan', 'Berkali', 'Ben'].map((username, id) => ({ id, username }))
  const names = (query: string) => matchNames(people, query, 5).map(({ username }) => username)

  it('[CHAT-26] offers prefix matches of folded names first, without the viewer', () => {
    expect(names('ALİ')).toEqual(['Ali', 'Alihan', 'Berkali'])
    expect(names('isi')).toEqual([])
    expect(names('IŞ')).toEqual(['Işıl'])
    expect(names('be')).toEqual(['Berkali'])
    expect(names('')).toHaveLength(5)
  })
})
