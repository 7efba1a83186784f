import { expect, it } from 'vitest'
import { conversationPreview, conversationTime } from './rules.ts'

it('[DM-10] previews the text of a message, or the kind of a file without text', () => {
  expect(conversationPreview('selam', 'image')).toBe('selam')
  expect(conversationPreview('', 'image')).toBe('Fotoğraf')
  expect(conversationPreview('', null)).toBe('')
})

it('[DM-10] shows the hour of a message for a day, and its date after that', () => {
  const createdAt = Date.parse('2026-01-01T11:05:00Z')
  const dayMs = 24 * 60 * 60_000
  expect(conversationTime(createdAt, createdAt + dayMs, 'UTC')).toBe('11:05')
  expect(conversationTime(createdAt, createdAt + dayMs + 1, 'UTC')).toBe('01.01.2026 11:05')
})
