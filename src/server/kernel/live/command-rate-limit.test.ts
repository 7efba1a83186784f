import { expect, it } from 'vitest'
import { CommandRateLimit } from './command-rate-limit.ts'

const NOW = 1_700_000_000_000

it('[LIVE-24] a connection may send 60 commands at once and then 20 a second', () => {
  const limit = new CommandRateLimit(1)
  const take = (now: number, tries: number) =>
    Array.from({ length: tries }, () => limit.tryConsume(now)).filter(Boolean).length
  expect(take(NOW, 100)).toBe(60)
  expect(take(NOW + 1_000, 100)).toBe(20)
})

it('[LIVE-24] the setting multiplies the rate of a connection', () => {
  const limit = new CommandRateLimit(3)
  const take = (now: number) => Array.from({ length: 300 }, () => limit.tryConsume(now)).filter(Boolean).length
  expect([take(NOW), take(NOW + 1_000)]).toEqual([180, 60])
})

it('[REG-38] a clock set back causes no refusal', () => {
  const limit = new CommandRateLimit(1)
  expect(limit.tryConsume(NOW)).toBe(true)
  expect(limit.tryConsume(NOW - 3_600_000)).toBe(true)
})

it('[LIVE-24] a connection is abusive after 200 refusals without a pause, and a pause resets the count', () => {
  const limit = new CommandRateLimit(1)
  for (let tries = 0; tries < 261; tries++) limit.tryConsume(NOW)
  expect(limit.isAbusive()).toBe(true)
  limit.tryConsume(NOW + 2_000)
  expect(limit.isAbusive()).toBe(false)
})

it.each([1, 3])('[LIVE-44] 128 commands of a connection may wait, times the setting (%s)', (scale) => {
  const limit = new CommandRateLimit(scale)
  for (let command = 0; command < 128 * scale; command++) limit.beginCommand()
  expect(limit.hasTooManyWaiting()).toBe(false)
  limit.beginCommand()
  expect(limit.hasTooManyWaiting()).toBe(true)
  limit.endCommand()
  expect(limit.hasTooManyWaiting()).toBe(false)
})
