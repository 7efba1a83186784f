import { expect, it } from 'vitest'
import { dragOffset, isReplyDrag } from './swipe.ts'

it('[CHAT-22] follows a finger to the right by at most 100 px, and starts a reply from 60 px', () => {
  expect([-50, 0, 30, 100, 101, 390].map(dragOffset)).toEqual([0, 0, 30, 100, 100, 100])
  expect([0, 59, 60, 100].map(isReplyDrag)).toEqual([false, false, true, true])
})
