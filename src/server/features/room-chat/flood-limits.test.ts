import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { refusals } from '../../../shared/protocol/refusals.ts'
import {
  ADDRESS_MENTION_LIMIT,
  ADDRESS_ROOM_CHARACTER_LIMIT,
  ADDRESS_ROOM_MESSAGE_LIMIT,
  MAX_MESSAGE_LENGTH,
  MENTION_LIMIT,
  ROOM_CHARACTER_LIMIT,
  ROOM_MESSAGE_LIMIT,
} from '../../../shared/room-chat/limits.ts'
import { PersonLimiters } from '../../kernel/limits/person-limiters.ts'
import { consumeSendLimits } from '../../model/conversations/send-limits.ts'
import { openTestRegion, type TestClient, type TestRegion } from '../../testing/fixtures/test-region.ts'
import { costsOf } from './live-handlers.ts'

const TEN_MINUTES_MS = 600_000
const NOW = 1_700_000_000_000
const ADDRESS = '203.0.113.7'
const LONG_TEXT = 'a'.repeat(MAX_MESSAGE_LENGTH)
const MENTIONS = Array.from({ length: 20 }, (_, index) => `@kişi${index}`).join(' ')

describe('the charges of a message', () => {
  let limiters: PersonLimiters
  beforeEach(() => {
    limiters = new PersonLimiters(1)
  })

  interface Messages {
    content?: string
    address?: string | null
    now?: number
    role?: 'guest' | 'rootadmin'
  }

  /** Charges a user's messages until one is refused, 5,000 at most; returns how many pass. */
  function countPassed(userId: number, { content = 'a', address = null, now = NOW, role = 'guest' }: Messages = {}) {
    let passed = 0
    const context = { personLimiters: limiters, clock: () => now }
    while (passed < 5_000 && consumeSendLimits(context, { userId, role }, address, costsOf(content)) === 0) passed++
    return passed
  }
  const countFromAll = (userCount: number, messages: Messages): number =>
    Array.from({ length: userCount }, (_, userId) => countPassed(userId, messages)).reduce((sum, n) => sum + n, 0)

  it('[CHAT-56] are 900 messages and 100,000 characters of a user in ten minutes, on any address', () => {
    expect([countPassed(1, { address: ADDRESS }), countPassed(1)]).toEqual([900, 0])
    expect(countPassed(1, { now: NOW + TEN_MINUTES_MS })).toBe(ROOM_MESSAGE_LIMIT.points)
    expect(countPassed(2, { content: LONG_TEXT })).toBe(50)
    expect(ROOM_CHARACTER_LIMIT.points).toBe(100_000)
    expect(countPassed(3, { role: 'rootadmin' })).toBe(5_000)
  })

  it('[CHAT-56] let somebody write a message of 100 characters a second for ever', () => {
    const context = { personLimiters: limiters, clock: () => 0 }
    for (let second = 0; second < 3_600; second++) {
      const clock = () => NOW + second * 1_000
      expect(
        consumeSendLimits({ ...context, clock }, { userId: 1, role: 'guest' }, null, costsOf('a'.repeat(100))),
      ).toBe(0)
    }
  })

  it('[CHAT-57] are 9,000 messages and 1,000,000 characters of an address in ten minutes', () => {
    expect(countFromAll(11, { address: ADDRESS })).toBe(ADDRESS_ROOM_MESSAGE_LIMIT.points)
    expect(countPassed(11, { address: '203.0.113.8' })).toBe(ROOM_MESSAGE_LIMIT.points)
    limiters = new PersonLimiters(1)
    expect(countFromAll(11, { address: ADDRESS, content: LONG_TEXT })).toBe(500)
    expect([ADDRESS_ROOM_MESSAGE_LIMIT.points, ADDRESS_ROOM_CHARACTER_LIMIT.points]).toEqual([9_000, 1_000_000])
  })

  it('[CHAT-58] are 300 mentions of a user and 3,000 of an address in ten minutes', () => {
    expect(countPassed(1, { content: MENTIONS })).toBe(MENTION_LIMIT.points / 20)
    expect(countPassed(1)).toBeGreaterThan(0)
    expect(countFromAll(12, { content: MENTIONS, address: ADDRESS })).toBe(ADDRESS_MENTION_LIMIT.points / 20)
    expect([MENTION_LIMIT.points, ADDRESS_MENTION_LIMIT.points]).toEqual([300, 3_000])
  })
})

describe('two guests who take turns', () => {
  let region: TestRegion
  beforeAll(async () => {
    // Buckets refill only when the test advances the clock, however slow this machine is.
    vi.useFakeTimers({ toFake: ['Date'] })
    region = await openTestRegion({ MEYDAN_JOIN_WAIT_MS: '0' })
  })
  afterAll(async () => {
    await region.destroy()
    vi.useRealTimers()
  })

  const send = (client: TestClient, content: string) => client.request('sendMessage', { roomId: 1, content })

  it('[CHAT-56] are refused with the wait beyond their limits, and others go on', async () => {
    const names = ['biri', 'öbürü', 'seyirci']
    const guests = await Promise.all(names.map((name) => region.createGuest(name)))
    const [one, other, bystander] = await Promise.all(guests.map((guest) => region.connectAs(guest, 1, ADDRESS)))
    if (!one || !other || !bystander) throw new Error('three guests are connected')
    const full = ROOM_CHARACTER_LIMIT.points / MAX_MESSAGE_LENGTH
    for (let turn = 0; turn < full; turn++)
      for (const client of [one, other]) expect(await send(client, LONG_TEXT)).toMatchObject({ success: true })
    for (const client of [one, other]) {
      expect(await send(client, LONG_TEXT)).toEqual({
        code: 'RateLimited',
        message: refusals.RateLimited.message,
        waitMs: expect.toSatisfy((waitMs: number) => waitMs > 0 && waitMs <= 12_000) as number,
      })
    }
    expect(await send(bystander, 'selam')).toMatchObject({ success: true })
    await bystander.waitForEvent('message', ({ content }) => content === 'Selam')
    expect(bystander.countEvents('message')).toBe(2 * full + 1)
    region.clockOffset.aheadMs += 12_000
    expect(await send(one, LONG_TEXT)).toMatchObject({ success: true })
  })
})
