import { expect, test } from 'vitest'
import type { BenchClient } from '../subjects/subject.ts'
import { DeliveryCounter, numberedText } from './deliveries.ts'

function createClient(): BenchClient {
  return { onPayload: () => {}, joinRoom: async () => {}, sendMessage: async () => {}, close: () => {} }
}

test('a numbered text has exactly the requested number of bytes', () => {
  expect(Buffer.byteLength(numberedText(7, 180))).toBe(180)
  expect(numberedText(7, 180)).not.toBe(numberedText(8, 180))
})

test('a delivery counter counts each message in a payload and ignores messages of another round', async () => {
  const before = new DeliveryCounter()
  const old = before.scheduleMessage(0)
  const deliveries = new DeliveryCounter()
  const listener = createClient()
  deliveries.listen([listener])
  const [first, second] = [deliveries.scheduleMessage(0), deliveries.scheduleMessage(0)]
  listener.onPayload(Buffer.from(`..${numberedText(first, 180)}..${numberedText(second, 180)}..`))
  listener.onPayload(Buffer.from(numberedText(old, 180)))
  listener.onPayload(Buffer.from('nothing of interest'))
  expect(deliveries.count).toBe(2)
  expect(deliveries.latency.count).toBe(2)
  expect(await deliveries.waitForCount(2, 0)).toBe(true)
  expect(await deliveries.waitForCount(3, 10)).toBe(false)
})
