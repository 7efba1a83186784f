import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { MAX_CALL_SIDES_PER_ADDRESS, STRANGER_CALL_LIMIT } from '../../../shared/calls/limits.ts'
import { type CallCluster, type CallRegion, type CallTab, createCallCluster } from '../../testing/calls/call-cluster.ts'
import { codeOf, request, respond, ring } from '../../testing/calls/call-steps.ts'
import { fakeTime, pass } from '../../testing/calls/fake-time.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'

const STRANGERS = STRANGER_CALL_LIMIT.points + 10

let database: TestDatabase
let cluster: CallCluster
let region: CallRegion
let can: CallTab

const nameOf = (index: number) => `yabanci${index}`
/** A user on an address of their own, unless it is given. */
const connectStranger = (index: number, address = `10.0.0.${index}`) => region.connect(nameOf(index), { address })

beforeAll(async () => {
  database = await openTestDatabase()
  for (const name of ['ada', 'can']) database.addMember(name)
  for (let index = 0; index < MAX_CALL_SIDES_PER_ADDRESS + 2; index++) database.addMember(nameOf(index))
})
afterAll(() => database.close())
beforeEach(() => {
  fakeTime()
  cluster = createCallCluster(database, ['ist'], 1)
  region = cluster.region('ist')
  can = region.connect('can')
})
afterEach(() => {
  cluster.close()
  vi.useRealTimers()
})

it('[CALL-26] lets strangers of many addresses disturb so often, and those whom the user follows always', async () => {
  for (let index = 0; index < STRANGERS; index++) {
    const stranger = connectStranger(index)
    const callId = await ring(stranger, 'can')
    await pass()
    const isTold = stranger.received('dmVoiceCallResponse').length > 0
    expect(isTold).toBe(index >= STRANGER_CALL_LIMIT.points)
    const told = isTold ? [{ callId, accepted: false, reason: 'declined' }] : []
    expect(stranger.received('dmVoiceCallResponse')).toEqual(told)
    if (!isTold) await stranger.request('dmEndCall', { callId })
  }
  expect(can.received('dmVoiceCallRequest')).toHaveLength(STRANGER_CALL_LIMIT.points)
  expect(region.missed).toHaveLength(STRANGER_CALL_LIMIT.points)
  const ada = region.connect('ada')
  const follow = 'insert into follow (followerId, followingId, isAccepted, at) values (?, ?, 1, 0)'
  database.db.prepare(follow).run(can.userId, ada.userId)
  const callId = await ring(ada, 'can')
  await pass()
  expect(can.received('dmVoiceCallRequest').at(-1)).toMatchObject({ callId })
})

it('[CALL-26] bounds the notifications of a user who is offline', async () => {
  can.disconnect()
  await pass(4_000)
  for (let index = 0; index < STRANGERS; index++) {
    const stranger = connectStranger(index)
    await ring(stranger, 'can')
    await pass()
    expect(stranger.received('dmVoiceCallResponse')).toMatchObject([{ accepted: false, reason: 'offline' }])
  }
  expect(region.missed).toHaveLength(STRANGER_CALL_LIMIT.points)
})

it('[CALL-26] does not count calls that are accepted', async () => {
  for (let index = 0; index < STRANGERS; index++) {
    const stranger = connectStranger(index)
    const callId = await ring(stranger, 'can')
    await pass()
    expect(await respond(can, callId, true)).toEqual({ success: true })
    await stranger.request('dmEndCall', { callId })
    await pass(2_000)
  }
  expect(can.received('dmVoiceCallRequest')).toHaveLength(STRANGERS)
})

it('[CALL-27] refuses a call more from an address whose users are in many', async () => {
  const address = '192.0.2.7'
  const pairs = MAX_CALL_SIDES_PER_ADDRESS / 2
  for (let pair = 0; pair < pairs; pair++) {
    const caller = connectStranger(2 * pair, address)
    const callee = connectStranger(2 * pair + 1, address)
    const callId = await ring(caller, callee.username)
    expect(await respond(callee, callId, true)).toEqual({ success: true })
  }
  const next = connectStranger(2 * pairs, address)
  expect(codeOf(await request(next, 'can'))).toBe('Busy')
  expect(codeOf(await request(connectStranger(2 * pairs + 1), 'can'))).toBeNull()
})
