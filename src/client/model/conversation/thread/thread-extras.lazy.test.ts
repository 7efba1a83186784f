import { expect, it } from 'vitest'
import { BURST_MS, BurstDetector } from './thread-extras.lazy.tsx'

it('[CHAT-46] animates a message that comes alone', () => {
  const bursts = new BurstDetector()
  expect(bursts.isSingle(1, 0)).toBe(true)
  expect(bursts.isSingle(1, BURST_MS)).toBe(true)
})

it('[CHAT-46] animates none of several messages that come in one frame', () => {
  expect(new BurstDetector().isSingle(2, 0)).toBe(false)
})

it('[CHAT-46] animates no message that comes shortly after another one, however long the burst lasts', () => {
  const bursts = new BurstDetector()
  bursts.isSingle(3, 0)
  for (let at = 1; at <= 5; at++) expect(bursts.isSingle(1, at * (BURST_MS - 1))).toBe(false)
  expect(bursts.isSingle(1, 5 * (BURST_MS - 1) + BURST_MS)).toBe(true)
})
