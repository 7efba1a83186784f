import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type CallCluster, type CallTab, createCallCluster } from '../../testing/calls/call-cluster.ts'
import { codeOf, request, respond, ring, sendAnswer, sendOffer } from '../../testing/calls/call-steps.ts'
import { fakeTime, pass } from '../../testing/calls/fake-time.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'

const SEED = 20_261_123
const USERS = ['ada', 'can', 'deniz', 'eda']
const REGIONS = ['ist', 'ank']

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  for (const name of USERS) database.addMember(name)
})
afterAll(() => database.close())
afterEach(() => vi.useRealTimers())

/** What a user, the network or time does; numbers choose among what exists. */
const step = fc.record({
  act: fc.constantFrom(
    ...([
      'call',
      'call',
      'accept',
      'accept',
      'decline',
      'end',
      'offer',
      'answer',
      'rejoin',
      'video',
      'renegotiate',
    ] as const),
    ...(['disconnect', 'connect', 'mute', 'cut', 'join', 'expire', 'relayDies', 'block', 'wait', 'wait'] as const),
  ),
  who: fc.nat(15),
  whom: fc.nat(15),
  ms: fc.constantFrom(0, 1, 20, 400, 3_000, 11_000, 46_000),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface World {
  cluster: CallCluster
  tabs: CallTab[]
  callIds: string[]
}

const pick = <T>(list: readonly T[], number: number): T | undefined => list[number % Math.max(1, list.length)]

/** Runs one step; commands are sent and not awaited, so that they interleave. */
function run(world: World, { act, who, whom }: Step): void {
  const open = world.tabs.filter(({ connection }) => !connection.isClosed)
  const tab = pick(open, who)
  if (!runOutside(world, act, who, whom) && tab) runInTab(world, tab, act, whom)
}

/** What regions, the network and the relay do. Returns false for an act of a tab. */
function runOutside({ cluster, tabs }: World, act: Step['act'], who: number, whom: number): boolean {
  const name = pick(REGIONS, who) ?? 'ist'
  const region = cluster.region(name)
  const acts: Partial<Record<Step['act'], () => unknown>> = {
    connect: () => tabs.push(region.connect(pick(USERS, whom) ?? 'ada', { tabId: `tab${who % 4}` })),
    cut: () => cluster.buses.disconnect(name),
    join: () => cluster.buses.connect(name),
    expire: () => cluster.buses.expire(name),
    relayDies: () =>
      region.relay.calls
        .filter(({ isOpen }) => isOpen)
        .at(-1)
        ?.die(0),
    block: () => region.calls.host.endWhere(({ callee }) => callee.user.id === whom, 'refused'),
  }
  acts[act]?.()
  return acts[act] !== undefined
}

function runInTab({ callIds }: World, tab: CallTab, act: Step['act'], whom: number): void {
  const callId = callIds.at(-1 - (whom % 3)) ?? '0e7e1f3a-1111-4111-8111-111111111111'
  const call = async () => {
    const answer = await request(tab, pick(USERS, whom) ?? 'can')
    if ('callId' in answer) callIds.push(answer.callId)
  }
  const acts: Partial<Record<Step['act'], () => unknown>> = {
    disconnect: () => tab.disconnect(),
    mute: () => {
      tab.answersPings = whom % 2 === 0
    },
    call,
    accept: () => respond(tab, callId, true),
    decline: () => respond(tab, callId, false),
    end: () => tab.request('dmEndCall', { callId }),
    offer: () => sendOffer(tab, callId, 1 + whom),
    answer: () => sendAnswer(tab, callId, 1 + whom),
    rejoin: () => tab.request('rejoinCall', { callId }),
    video: () => tab.request('dmCallVideo', { callId, action: 'ask' }),
    renegotiate: () => tab.request('dmRenegotiate', { callId, isNewConnection: whom % 2 === 0 }),
  }
  // A connection that closes leaves its commands without an answer.
  void Promise.resolve(acts[act]?.()).catch(() => {})
}

/** No user has two running calls in regions that reach each other, and each open relay belongs to a running call. */
function checkInvariants({ cluster }: World, isWhole: boolean): void {
  const hosted = cluster.regions.flatMap(({ calls }) => calls.host.list())
  const open = cluster.regions.reduce((sum, { relay }) => sum + relay.openCount(), 0)
  expect(open).toBe(hosted.filter(({ connectedAt }) => connectedAt !== null).length)
  for (const { calls } of cluster.regions)
    expectNoDouble(calls.host.list().flatMap(({ caller, callee }) => [caller.user.id, callee.user.id]))
  if (isWhole) expectNoDouble(hosted.flatMap(({ caller, callee }) => [caller.user.id, callee.user.id]))
}

function expectNoDouble(userIds: number[]): void {
  expect(userIds).toEqual([...new Set(userIds)])
}

function countLeft({ regions }: CallCluster) {
  return regions.map(({ calls, relay }) => [
    calls.host.size,
    calls.directory.size,
    calls.connections.size,
    relay.openCount(),
  ])
}

it('[CALL-22] ends every call and leaves nothing, in any order of commands and disconnects', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      fakeTime()
      const cluster = createCallCluster(database, REGIONS)
      const world: World = { cluster, tabs: [], callIds: [] }
      for (const [index, name] of USERS.entries())
        world.tabs.push(cluster.region(pick(REGIONS, index) ?? 'ist').connect(name))
      await pass(300)
      for (const one of steps) {
        run(world, one)
        await vi.advanceTimersByTimeAsync(one.ms)
        checkInvariants(world, false)
      }
      for (const name of REGIONS) cluster.buses.connect(name)
      await pass(2_000)
      checkInvariants(world, true)
      for (const tab of world.tabs) tab.disconnect()
      await pass(60_000)
      expect(countLeft(cluster)).toEqual(REGIONS.map(() => [0, 0, 0, 0]))
      cluster.close()
      vi.useRealTimers()
    }),
    { seed: SEED, numRuns: 120 },
  )
}, 60_000)

it('[CALL-22] leaves nothing of 500 calls', async () => {
  fakeTime()
  const cluster = createCallCluster(database, ['ist'], 100_000)
  const region = cluster.region('ist')
  const [ada, can] = [region.connect('ada'), region.connect('can')]
  await pass(2_000)
  const timers = vi.getTimerCount()
  for (let number = 0; number < 500; number++) {
    const callId = await ring(ada, 'can')
    await sendOffer(ada, callId)
    await respond(can, callId, true)
    expect(codeOf(await sendAnswer(can, callId))).toBeNull()
    await (number % 2 === 0 ? ada : can).request('dmEndCall', { callId })
    await pass(500)
  }
  expect(region.relay.calls).toHaveLength(500)
  expect([...countLeft(cluster), vi.getTimerCount()]).toEqual([[0, 0, 0, 0], timers])
  cluster.close()
}, 30_000)
