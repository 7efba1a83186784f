import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { CALLER_GONE_MS, REJOIN_TIMEOUT_MS } from '../../../shared/calls/limits.ts'
import { findUserByName } from '../../model/accounts/queries.ts'
import { type CallCluster, type CallRegion, type CallTab, createCallCluster } from '../../testing/calls/call-cluster.ts'
import { codeOf, endOf, request, respond, ring, sendAnswer, sendOffer } from '../../testing/calls/call-steps.ts'
import { fakeTime, pass } from '../../testing/calls/fake-time.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'

let database: TestDatabase
let cluster: CallCluster
let ist: CallRegion
let ank: CallRegion
let ada: CallTab
let can: CallTab

/** Until presence of one region is known in the others. */
const PRESENCE_MS = 300

beforeAll(async () => {
  database = await openTestDatabase()
  for (const name of ['ada', 'can', 'deniz']) database.addMember(name)
})
afterAll(() => database.close())
beforeEach(async () => {
  fakeTime()
  cluster = createCallCluster(database, ['ist', 'ank', 'izm'])
  ist = cluster.region('ist')
  ank = cluster.region('ank')
  ada = ist.connect('ada', { tabId: 'ada1' })
  can = ank.connect('can', { tabId: 'can1' })
  await pass(PRESENCE_MS)
})
afterEach(() => {
  cluster.close()
  vi.useRealTimers()
})

/** Sends a command while messages between regions travel. */
async function over<T>(command: Promise<T>): Promise<T> {
  const answer = command
  await pass()
  return answer
}

/** A running call of ada, in ist, to can, in ank. */
async function connectCall(): Promise<string> {
  const callId = await over(ring(ada, 'can'))
  await over(sendOffer(ada, callId))
  await over(respond(can, callId, true))
  await over(sendAnswer(can, callId))
  return callId
}

const openRelays = () => cluster.regions.map(({ relay }) => relay.openCount())
const entries = () =>
  cluster.regions.map(({ calls }) => calls.directory.size + calls.host.size + calls.connections.size)

describe('a call between regions', () => {
  it('[REPORT-19] is remembered with its times in every region, for its two users alone', async () => {
    const callId = await connectCall()
    const [adaId, canId, denizId] = ['ada', 'can', 'deniz'].map((name) => findUserByName(database.read, name)?.id ?? 0)
    await over(ada.request('dmEndCall', { callId }))
    for (const { calls } of cluster.regions) {
      const known = calls.recent.find(database.read, canId ?? 0, callId)
      expect(known).toMatchObject({ callerId: adaId, calleeId: canId, callType: 'voice' })
      expect(known?.endedAt).toBeGreaterThanOrEqual(known?.connectedAt ?? Number.NaN)
      expect(calls.recent.find(database.read, denizId ?? 0, callId)).toBeUndefined()
    }
  })

  it('[CALL-19] is hosted and relayed where the callee is, and ends in both', async () => {
    const callId = await connectCall()
    expect(openRelays()).toEqual([0, 1, 0])
    expect(ada.received('dmWebRTCAnswer')).toMatchObject([{ callId, negotiation: 1 }])
    expect(can.received('dmWebRTCOffer')).toMatchObject([{ callId, negotiation: 1 }])
    expect(ada.log.filter((name) => name.startsWith('dm') || name === 'answer 1')).toEqual([
      ...['answer 1', 'dmVoiceCallResponse', 'dmWebRTCAnswer'],
    ])
    await over(ada.request('dmEndCall', { callId }))
    expect([endOf(can), endOf(ada), ...openRelays()]).toEqual(['hangUp', 'hangUp', 0, 0, 0])
    expect(entries()).toEqual([0, 0, 0])
  })

  it('[CALL-19] stays in the region of the caller when the callee is connected there too', async () => {
    const can2 = ist.connect('can')
    await pass(PRESENCE_MS)
    const callId = await over(ring(ada, 'can'))
    expect([can.received('dmVoiceCallRequest').length, can2.received('dmVoiceCallRequest').length]).toEqual([1, 1])
    await over(respond(can, callId, true))
    expect(openRelays()).toEqual([1, 0, 0])
    expect(endOf(can2)).toBe('answeredElsewhere')
  })

  it('[CALL-06] tells a caller elsewhere that the callee went offline after the id of the call', async () => {
    can.disconnect()
    const callId = await over(ring(ada, 'can'))
    await pass(5_000)
    expect(ada.received('dmVoiceCallResponse')).toMatchObject([{ callId, accepted: false, reason: 'offline' }])
    expect([...ist.missed, ...ank.missed]).toHaveLength(1)
  })

  it('[CALL-04] is known to every region: a third user is declined wherever they are', async () => {
    await connectCall()
    const deniz = cluster.region('izm').connect('deniz')
    await pass(PRESENCE_MS)
    await over(ring(deniz, 'ada'))
    expect(deniz.received('dmVoiceCallResponse')).toMatchObject([{ accepted: false, reason: 'declined' }])
    expect(ada.received('dmVoiceCallRequest')).toEqual([])
    const ada2 = cluster.region('izm').connect('ada')
    expect(codeOf(await over(request(ada2, 'deniz')))).toBe('CallBusy')
  })

  it('[CALL-10] refuses users of another region who know its id', async () => {
    const callId = await connectCall()
    const deniz = cluster.region('izm').connect('deniz')
    expect(codeOf(await over(deniz.request('dmEndCall', { callId })))).toBe('NoSuchCall')
    expect(codeOf(await over(sendOffer(deniz, callId, 5)))).toBe('NoSuchCall')
    expect(openRelays()).toEqual([0, 1, 0])
  })

  it('[CALL-14] goes on when a participant comes back through another region', async () => {
    const callId = await connectCall()
    ada.disconnect()
    await pass(1_000)
    const ada2 = cluster.region('izm').connect('ada', { tabId: 'ada1' })
    await pass()
    expect(ada2.received('currentCall')).toMatchObject([{ call: { callId, role: 'caller' } }])
    expect(await over(ada2.request('rejoinCall', { callId }))).toMatchObject({ success: true })
    await over(sendOffer(ada2, callId, 2))
    expect(can.received('dmWebRTCOffer').at(-1)).toMatchObject({ negotiation: 2 })
    await pass(REJOIN_TIMEOUT_MS * 2)
    expect(openRelays()).toEqual([0, 1, 0])
  })

  it('[CALL-14] does not need the answers of its caller to pings while it runs', async () => {
    await connectCall()
    ada.answersPings = false
    await pass(30_000)
    expect([endOf(ada), endOf(can), ...openRelays()]).toEqual([null, null, 0, 1, 0])
  })

  it('[CALL-23] rings in a region that the callee enters meanwhile', async () => {
    const callId = await over(ring(ada, 'can'))
    const can2 = cluster.region('izm').connect('can')
    await pass()
    expect(can2.received('dmVoiceCallRequest')).toMatchObject([{ callId }])
    expect(await over(respond(can2, callId, true))).toEqual({ success: true })
    expect(endOf(can)).toBe('answeredElsewhere')
  })
})

describe('two users who call each other', () => {
  it('[CALL-18] at once end in one call, whichever arrives first', async () => {
    const [a, c] = await over(Promise.all([ring(ada, 'can'), ring(can, 'ada')]))
    await pass()
    const crossed = [...ada.received('dmCallCrossed'), ...can.received('dmCallCrossed')]
    expect(crossed).toHaveLength(1)
    const [{ callId, acceptCallId } = {}] = crossed
    expect([a, c]).toContain(callId)
    expect([a, c]).toContain(acceptCallId)
    const callee = ada.received('dmCallCrossed').length > 0 ? ada : can
    expect([ada.received('dmVoiceCallRequest'), can.received('dmVoiceCallRequest')]).toEqual([[], []])
    expect(await over(respond(callee, String(acceptCallId), true))).toEqual({ success: true })
    expect(openRelays().reduce((sum, count) => sum + count)).toBe(1)
    expect([...ist.missed, ...ank.missed]).toEqual([])
  })

  it('[CALL-18] one after the other: the second one accepts the call of the first', async () => {
    const callId = await over(ring(ada, 'can'))
    expect(await over(request(can, 'ada'))).toEqual({ success: true, callId, callType: 'voice', role: 'callee' })
    expect(await over(respond(can, callId, true))).toEqual({ success: true })
    expect(openRelays()).toEqual([0, 1, 0])
  })

  it('[CALL-18] lets the earlier of two calls to one user ring, when both begin in different regions', async () => {
    const can2 = cluster.region('izm').connect('can')
    const deniz = cluster.region('izm').connect('deniz')
    await pass(PRESENCE_MS)
    const [first, second] = await over(Promise.all([ring(ada, 'can'), ring(deniz, 'can')]))
    await pass()
    const declined = [...ada.received('dmVoiceCallResponse'), ...deniz.received('dmVoiceCallResponse')]
    expect(declined).toMatchObject([{ accepted: false, reason: 'declined' }])
    const left = declined[0]?.callId === first ? second : first
    expect(await over(respond(can2, left, true))).toEqual({ success: true })
    expect(cluster.regions.flatMap(({ missed }) => missed)).toHaveLength(1)
  })
})

describe('a region that is gone', () => {
  it('[CALL-20] takes its calls with it: participants elsewhere are told', async () => {
    await connectCall()
    cluster.buses.expire('ank')
    await pass()
    expect(ada.received('dmEndCall')).toMatchObject([{ reason: 'regionLost' }])
    expect(ist.calls.directory.size).toBe(0)
    expect(codeOf(await over(request(ada, 'can')))).toBeNull()
  })

  it('[CALL-20] takes its participants with it: the host waits for them as after any lost connection', async () => {
    await connectCall()
    cluster.buses.expire('ist')
    await pass(REJOIN_TIMEOUT_MS - 1_000)
    expect([endOf(can), ...openRelays()]).toEqual([null, 0, 1, 0])
    await pass(2_000)
    expect([endOf(can), ...openRelays()]).toEqual(['connectionLost', 0, 0, 0])
  })

  it('[CALL-08] stops what its user rings within 5 s, before it counts as gone', async () => {
    await over(ring(ada, 'can'))
    cluster.buses.disconnect('ist')
    await pass(CALLER_GONE_MS - 500)
    expect(endOf(can)).toBeNull()
    await pass(1_500)
    expect(endOf(can)).toBe('hangUp')
  })

  it('[CALL-20] leaves a running call alone while it is cut off for a moment', async () => {
    const callId = await connectCall()
    cluster.buses.disconnect('ist')
    expect(codeOf(await over(ada.request('dmRenegotiate', { callId, isNewConnection: false })))).toBe('RegionCut')
    await pass(3_000)
    await over(can.request('dmRenegotiate', { callId, isNewConnection: false }))
    cluster.buses.connect('ist')
    await pass(60_000)
    expect(ada.received('dmRenegotiate')).toHaveLength(1)
    expect([endOf(ada), endOf(can), ...openRelays()]).toEqual([null, null, 0, 1, 0])
  })

  it('[CALL-20] stops what it rings here, also for a callee who is connected elsewhere', async () => {
    const can2 = cluster.region('izm').connect('can')
    await pass(PRESENCE_MS)
    await over(ring(ada, 'can'))
    expect(can2.received('dmVoiceCallRequest')).toHaveLength(1)
    cluster.buses.expire('ank')
    await pass()
    expect(can2.received('dmEndCall')).toMatchObject([{ reason: 'regionLost' }])
  })

  it('[CALL-20] stops ringing where the end or the acceptance elsewhere was missed', async () => {
    const can2 = cluster.region('izm').connect('can')
    await pass(PRESENCE_MS)
    for (const [end, reason] of [
      [(callId: string) => ada.request('dmEndCall', { callId }), 'hangUp'],
      [(callId: string) => respond(can, callId, true), 'answeredElsewhere'],
    ] as const) {
      const callId = await over(ring(ada, 'can'))
      cluster.buses.disconnect('izm')
      await over(end(callId))
      expect(can2.received('dmEndCall').filter((ended) => ended.callId === callId)).toEqual([])
      cluster.buses.connect('izm')
      await pass()
      expect(can2.received('dmEndCall').at(-1)).toMatchObject({ callId, reason })
    }
    expect(openRelays()).toEqual([0, 1, 0])
  })

  it('[CALL-20] is told of the acceptance and of the camera that it missed', async () => {
    const callId = await over(ring(ada, 'can'))
    await over(sendOffer(ada, callId))
    cluster.buses.disconnect('ist')
    await over(respond(can, callId, true))
    await over(can.request('dmCallMedia', { callId, isMicrophoneOn: false, isCameraOn: false, isScreenShared: false }))
    await over(sendAnswer(can, callId))
    expect(ada.received('dmVoiceCallResponse')).toEqual([])
    cluster.buses.connect('ist')
    await pass()
    expect(ada.log.filter((name) => name.startsWith('dm'))).toEqual([
      ...['dmVoiceCallResponse', 'dmCallMedia', 'dmWebRTCAnswer'],
    ])
    expect(ada.received('dmVoiceCallResponse')).toMatchObject([{ callId, accepted: true, isMicrophoneOn: false }])
  })

  it('[CALL-20] is told of the end that it missed', async () => {
    const callId = await connectCall()
    cluster.buses.disconnect('ist')
    await over(can.request('dmEndCall', { callId }))
    cluster.buses.connect('ist')
    await pass()
    expect(endOf(ada)).toBe('connectionLost')
    expect(entries()).toEqual([0, 0, 0])
  })

  it('[CALL-20] ends the start of a call that it did not answer in time', async () => {
    const answer = request(ada, 'can')
    cluster.buses.disconnect('ank')
    await pass(6_000)
    expect(codeOf(await answer)).toBe('RegionCut')
    cluster.buses.connect('ank')
    await pass(6_000)
    expect(entries()).toEqual([0, 0, 0])
  })
})

it('[CALL-24] a region ignores messages of others that are not valid, and those about calls that they do not host', async () => {
  const callId = await connectCall()
  const bus = cluster.buses.busOf('izm')
  const values = [null, 1, 'x', [], {}, { callId }, { kind: 'end', callId }, { kind: 'whole', calls: [{ callId }] }]
  const topics = ['command', 'answer', 'event', 'connection', 'hello', 'directory'].map((name) => `calls.${name}`)
  for (const topic of topics) for (const value of values) bus.send('all', topic, value)
  const entry = { callId, callType: 'voice', callerId: 1, calleeId: 3, isActive: true, startedAt: 0 }
  bus.send('all', 'calls.directory', { kind: 'set', call: entry })
  bus.send('ank', 'calls.connection', { callId, connectionId: ada.connection.id, state: 'final', silentMs: 0 })
  const sender = { userId: can.userId, sessionId: 1, tabId: null, connectionId: can.connection.id }
  const command = { requestId: 1, name: 'dmEndCall', sender, input: { callId } }
  bus.send('ank', 'calls.command', command)
  await pass()
  expect([endOf(ada), endOf(can), ...openRelays()]).toEqual([null, null, 0, 1, 0])
})
