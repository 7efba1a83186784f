import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  ADDRESS_CHARACTER_LIMIT,
  ADDRESS_CONVERSATION_LIMIT,
  ADDRESS_MESSAGE_LIMIT,
  DIRECT_CHARACTER_LIMIT,
  DIRECT_MESSAGE_LIMIT,
  MAX_NEW_CONVERSATIONS,
} from '../../../shared/direct-messages/limits.ts'
import { refusals } from '../../../shared/protocol/refusals.ts'
import { MAX_MESSAGE_LENGTH } from '../../../shared/room-chat/limits.ts'
import { PersonLimiters } from '../../kernel/limits/person-limiters.ts'
import { consumeSendLimits } from '../../model/conversations/send-limits.ts'
import { openTestRegion, type TestClient, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'
import { costsOf } from './live-handlers.ts'

const TEN_MINUTES_MS = 600_000
const NOW = 1_700_000_000_000
const ADDRESS = '203.0.113.7'
const LONG_TEXT = 'a'.repeat(MAX_MESSAGE_LENGTH)

let region: TestRegion
let ada: TestUser
/** Users who have written to ada. */
let known: TestUser[]
let limiters: PersonLimiters

beforeAll(async () => {
  region = await openTestRegion()
  ada = await region.createMember('ada')
  known = await Promise.all(Array.from({ length: 11 }, (_, index) => region.createGuest(`tanıdık${index}`)))
  for (const user of known) expect(await send(await region.connectAs(user), ada)).toMatchObject({ success: true })
})
afterAll(() => region.destroy())
beforeEach(() => {
  limiters = new PersonLimiters(1)
})

interface Messages {
  count: number
  from: Pick<TestUser, 'userId'> | undefined
  address?: string | null
  /** Without it, to somebody to whom the sender has not written. */
  to?: TestUser
  content?: string
  now?: number
}

/** Charges messages that are sent at one moment; returns how many pass. */
function countPassed({ count, from, address = ADDRESS, to, content = 'a', now = NOW }: Messages): number {
  const context = { ...region.appContext, personLimiters: limiters, clock: () => now }
  const sender = { userId: from?.userId ?? 0, role: 'guest' } as const
  const { reader } = region.appContext
  const waits = Array.from({ length: count }, () =>
    consumeSendLimits(context, sender, address, costsOf(reader, sender.userId, to?.userId ?? 1_000_000, content)),
  )
  return waits.filter((waitMs) => waitMs === 0).length
}

function send(client: TestClient, { username }: TestUser, content = 'selam') {
  return client.request('sendDirectMessage', { recipientUsername: username, content })
}

/** What a client gets above a limit, with the wait of this one in milliseconds. */
function refusalWithin(maxWaitMs: number) {
  return {
    code: 'RateLimited',
    message: refusals.RateLimited.message,
    waitMs: expect.toSatisfy((waitMs: number) => waitMs > 0 && waitMs <= maxWaitMs) as number,
  }
}

describe('the limits of a user in ten minutes', () => {
  it('[DM-63] are 300 messages and 60,000 characters, on whatever address', () => {
    const [one, two] = known
    expect(countPassed({ count: 200, from: one, to: ada })).toBe(200)
    expect(countPassed({ count: 200, from: one, to: ada, address: null })).toBe(100)
    expect(countPassed({ count: 400, from: one, to: ada, now: NOW + TEN_MINUTES_MS })).toBe(DIRECT_MESSAGE_LIMIT.points)
    const most = DIRECT_CHARACTER_LIMIT.points / MAX_MESSAGE_LENGTH
    expect(countPassed({ count: 100, from: two, to: ada, address: null, content: LONG_TEXT })).toBe(most)
    expect([DIRECT_MESSAGE_LIMIT.points, most]).toEqual([300, 30])
  })

  it('[DM-63] refuse the next message with the wait, and store and send nothing of it', async () => {
    const [can, deniz] = [await region.createMember('can'), await region.createMember('deniz')]
    const [client, recipient] = [await region.connectAs(can), await region.connectAs(deniz)]
    for (let sent = 0; sent < 30; sent++) expect(await send(client, deniz, LONG_TEXT)).toMatchObject({ success: true })
    expect(await send(client, deniz, LONG_TEXT)).toMatchObject(refusalWithin(20_000))
    await recipient.request('getRooms', {})
    expect(recipient.countEvents('directMessage')).toBe(30)
    expect(await send(recipient, can)).toMatchObject({ success: true })
    region.clockOffset.aheadMs += 20_000
    expect(await send(client, deniz, LONG_TEXT)).toMatchObject({ success: true })
  })

  it('[DM-63] do not hold for root admins', async () => {
    const root = await region.createRootAdmin('kök')
    const client = await region.connectAs(root, undefined, ADDRESS)
    for (let sent = 0; sent < 31; sent++) expect(await send(client, ada, LONG_TEXT)).toMatchObject({ success: true })
  })
})

describe('the limits of an address in ten minutes', () => {
  it('[DM-64] are 1,500 messages and 200,000 characters of all its users together', () => {
    const countFromAll = (message: Omit<Messages, 'from'>) =>
      known.map((from) => countPassed({ ...message, from, to: ada })).reduce((sum, count) => sum + count, 0)
    expect(countFromAll({ count: 300 })).toBe(ADDRESS_MESSAGE_LIMIT.points)
    expect(countFromAll({ count: 300, address: null })).toBe(11 * 300 - ADDRESS_MESSAGE_LIMIT.points)
    limiters = new PersonLimiters(1)
    const most = ADDRESS_CHARACTER_LIMIT.points / MAX_MESSAGE_LENGTH
    expect(countFromAll({ count: 30, content: LONG_TEXT })).toBe(most)
    expect(countFromAll({ count: 30, content: LONG_TEXT, address: '203.0.113.8' })).toBe(most)
    expect([ADDRESS_MESSAGE_LIMIT.points, most]).toEqual([1_500, 100])
  })

  it('[DM-64] count a network of IPv6 as one, and take nothing for a message that one of them refuses', () => {
    const [one, two] = known
    const network = (host: number) => `2001:db8:1:2::${host}`
    for (let host = 1; host <= 60; host++) expect(countPassed({ count: 1, from: one, address: network(host) })).toBe(1)
    expect(countPassed({ count: 300, from: two, address: network(61) })).toBe(0)
    expect(countPassed({ count: 300, from: two, address: network(62), to: ada })).toBe(300)
    expect(countPassed({ count: 1, from: two, address: '2001:db8:1:3::1' })).toBe(0)
  })

  it('[DM-64] let a user at their own limits write behind the address of ten busy ones', () => {
    for (const from of known.slice(0, 10)) {
      expect(countPassed({ count: 58, from, to: ada, content: 'a'.repeat(100) })).toBe(58)
      expect(countPassed({ count: 2, from, content: 'a'.repeat(100) })).toBe(2)
    }
    const from = known[10]
    const content = 'a'.repeat(200)
    expect(countPassed({ count: 280, from, to: ada, content })).toBe(280)
    expect(countPassed({ count: MAX_NEW_CONVERSATIONS, from, content })).toBe(MAX_NEW_CONVERSATIONS)
  })

  it('[DM-64] let guests of one address start 60 conversations, and others go on', async () => {
    const others = await Promise.all(
      Array.from({ length: MAX_NEW_CONVERSATIONS }, (_, index) => region.createMember(`başka${index}`)),
    )
    const sendToAll = async (name: string, address: string) => {
      const client = await region.connectAs(await region.createGuest(name), undefined, address)
      const answers = []
      for (const other of others) answers.push(await send(client, other))
      return answers
    }
    for (let guest = 1; guest <= 3; guest++)
      for (const answer of await sendToAll(`gelen${guest}`, ADDRESS)) expect(answer).toMatchObject({ success: true })
    for (const answer of await sendToAll('gelen4', ADDRESS)) expect(answer).toMatchObject(refusalWithin(10_000))
    for (const answer of await sendToAll('gelen5', '203.0.113.9')) expect(answer).toMatchObject({ success: true })
    expect(ADDRESS_CONVERSATION_LIMIT.points).toBe(60)
  })
})
