// @module-tag deep
import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSessionCookie } from '../../src/server/testing/fixtures/test-api.ts'
import type { TestUser } from '../../src/server/testing/fixtures/test-region.ts'
import { SeededRandom } from '../../src/server/testing/simulation/seeded-random.ts'
import { type HttpRegion, jsonRenderer, startHttpRegion } from '../drivers/http-region.ts'
import { ProtocolClient } from './protocol-client.ts'
import { deviationOfShare, shareOfLarger } from './rank-test.ts'
import type { TimedClientData, TimedRequest } from './timed-client.ts'

/** `TEST_SEED=7` sets another one. */
const SEED = Number(process.env.TEST_SEED ?? 20_261_123)
const PAIRS = 64
const WARM_UP_PAIRS = 10
/** Others in the room, who get what the control sends. */
const CROWD = 300
/** A share of pairs this far from one half is no noise: 5.6 standard deviations, one run in 30 million. */
const MAX_DISTANCE = 0.29
/** Longer than the windows of the writer and the publisher. */
const WRITE_PAUSE_MS = 12
const READ_PAUSE_MS = 2
const [GHOST, CONTROL, ROOT] = [0, 1, 2]

type RequestMaker = (index: number) => TimedRequest['request']

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

describe(`the answer times of a guest's requests, TEST_SEED=${SEED}`, () => {
  const random = new SeededRandom(SEED)
  let site: HttpRegion
  let worker: Worker
  const crowd: ProtocolClient[] = []

  beforeAll(async () => {
    site = await startHttpRegion({ MEYDAN_LIMIT_SCALE: '1000000' }, jsonRenderer, { hasWriterThread: true })
    const { region, origin } = site
    const users = [
      await region.createGuest('hayal'),
      await region.createGuest('gölge'),
      await region.createRootAdmin('yönetici'),
    ]
    await region.createMember('can')
    for (let i = 0; i < CROWD; i++) crowd.push(await enterRoom(await region.createGuest(`kişi${i}`)))
    const workerData: TimedClientData = {
      origin,
      users: await Promise.all(users.map(async (user) => ({ ...(await identify(user)) }))),
    }
    worker = new Worker(new URL('./timed-client.ts', import.meta.url), { workerData })
    await nextMessage()
    // Past the wait after joining.
    region.clockOffset.aheadMs += 90_000
    await run([
      request(ROOT, 'adminConnected', { adminToken: await region.signAdminToken(users[ROOT] ?? expect.unreachable()) }),
      request(ROOT, 'ghostBanGuest', { username: 'hayal', banDuration: 'indefinite', isGuest: true }),
    ])
  })
  afterAll(async () => {
    await worker.terminate()
    for (const client of crowd) client.terminate()
    await site.close()
  })

  /** One who gets everything of the room, at no cost of this thread. */
  async function enterRoom({ token }: TestUser): Promise<ProtocolClient> {
    const client = await ProtocolClient.open(site.origin)
    await client.hello(token, { browserId: token.slice(-20) })
    await client.request('joinRoom', { roomId: 1 })
    client.stopReading()
    return client
  }

  async function identify({ token, username }: TestUser) {
    const headers = { authorization: `Bearer ${token}`, origin: site.origin }
    const response = await fetch(`${site.origin}/api/users/refresh-token`, { method: 'POST', headers })
    return { token, browserId: `browser of ${username}`, cookie: readSessionCookie(response) }
  }

  const nextMessage = () =>
    new Promise<number[]>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })

  function run(requests: TimedRequest[]): Promise<number[]> {
    worker.postMessage(requests)
    return nextMessage()
  }

  const request = (user: number, command: string, input: Record<string, unknown>): TimedRequest => ({
    ...{ user, request: { command, input }, isMeasured: false, pauseMs: 0 },
  })

  const say = (content: string) => ({ command: 'sendMessage', input: { roomId: 1, content, clientId: randomUUID() } })
  const writes: Record<string, RequestMaker> = {
    'sends a message': (index) => say(`selam ${index}`),
    'mentions a user': (index) => say(`@can selam ${index}`),
    'writes to a user': (index) => ({
      command: 'sendDirectMessage',
      input: { recipientUsername: 'can', content: `selam ${index}`, clientId: randomUUID() },
    }),
  }
  const reads: Record<string, RequestMaker> = {
    types: () => ({ command: 'typing', input: { roomId: 1 } }),
    'reads the messages': () => ({ command: 'getMessages', input: { roomId: 1 } }),
    searches: () => ({ command: 'searchMessages', input: { roomId: 1, text: 'evet' } }),
    'lists the users': () => ({ command: 'getRoomUsers', input: { roomId: 1 } }),
    'counts the users': () => ({ command: 'getStatus', input: { roomId: 1 } }),
    'enters the room': () => ({ command: 'joinRoom', input: { roomId: 1 } }),
    'opens the page of the room': () => ({ path: '/room/1', method: 'GET' }),
    'opens the landing page': () => ({ path: '/', method: 'GET' }),
    'renews the token': () => ({ path: '/api/users/refresh-token', method: 'POST' }),
    'lists conversations': () => ({ path: '/api/dm/userconversations', method: 'GET' }),
  }

  /** The ghost and the control make a request each, in a random order. */
  function pairOf(makeRequest: RequestMaker, index: number, isWrite: boolean): TimedRequest[] {
    const users = random.isLikely(0.5) ? [GHOST, CONTROL] : [CONTROL, GHOST]
    const pauseMs = isWrite ? WRITE_PAUSE_MS : READ_PAUSE_MS
    const isMeasured = index >= WARM_UP_PAIRS
    const pair = users.map((user) => ({ user, request: makeRequest(index), isMeasured, pauseMs }))
    // A message of the root admin ends a run of the guests', which is bounded.
    return isWrite ? [{ user: ROOT, request: say('evet'), isMeasured: false, pauseMs: 0 }, ...pair] : pair
  }

  /** Milliseconds of each request of both. */
  async function measure(makeRequest: RequestMaker, isWrite: boolean) {
    const pairs = Array.from({ length: WARM_UP_PAIRS + PAIRS }, (_, index) => pairOf(makeRequest, index, isWrite))
    const requests = pairs.flat()
    const times = await run(requests)
    const measured = requests.filter(({ isMeasured }) => isMeasured)
    const timesOf = (user: number) => times.filter((_, index) => measured[index]?.user === user)
    return { ghost: timesOf(GHOST), control: timesOf(CONTROL) }
  }

  it.each(Object.keys({ ...writes, ...reads }))(
    '[GHOST-22] do not differ by the ban when the guest %s',
    async (name) => {
      const makeRequest = writes[name] ?? reads[name]
      if (!makeRequest) throw new Error(`there is no ${name}`)
      const { ghost, control } = await measure(makeRequest, name in writes)
      expect([ghost.length, control.length]).toEqual([PAIRS, PAIRS])
      const share = shareOfLarger(ghost, control)
      const medians = `medians ${median(ghost).toFixed(2)} and ${median(control).toFixed(2)} ms`
      const found = `TEST_SEED=${SEED}: with the ban slower in ${Math.round(share * 100)} of 100 pairs, ${medians}`
      console.info(`the guest ${name}: ${found}`)
      expect(Math.abs(share - 0.5), found).toBeLessThan(MAX_DISTANCE)
    },
  )

  it('[GHOST-22] would be found to differ if the answers came later by half of their spread', () => {
    const draw = (later: number) => Array.from({ length: PAIRS }, () => random.float(0, 1) + later)
    expect(MAX_DISTANCE / deviationOfShare(PAIRS, PAIRS)).toBeGreaterThan(5.5)
    expect(Math.abs(shareOfLarger(draw(0), draw(0)) - 0.5)).toBeLessThan(MAX_DISTANCE)
    expect(Math.abs(shareOfLarger(draw(0.5), draw(0)) - 0.5)).toBeGreaterThan(MAX_DISTANCE)
  })
})
