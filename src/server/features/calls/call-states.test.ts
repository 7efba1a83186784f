import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { CALLEE_GONE_MS, CALLER_GONE_MS, REJOIN_TIMEOUT_MS, RING_TIMEOUT_MS } from '../../../shared/calls/limits.ts'
import { type CallCluster, type CallRegion, type CallTab, createCallCluster } from '../../testing/calls/call-cluster.ts'
import { codeOf, endOf, request, respond, ring, sendAnswer, sendOffer } from '../../testing/calls/call-steps.ts'
import { ANSWER, OFFER, relayIn, restarted } from '../../testing/calls/descriptions.ts'
import { fakeTime, pass } from '../../testing/calls/fake-time.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'

let database: TestDatabase
let cluster: CallCluster
let region: CallRegion
let ada: CallTab
let can: CallTab
let deniz: CallTab

beforeAll(async () => {
  database = await openTestDatabase()
  for (const name of ['ada', 'can', 'deniz']) database.addMember(name)
})
afterAll(() => database.close())
beforeEach(() => {
  fakeTime()
  cluster = createCallCluster(database, ['ist'])
  region = cluster.region('ist')
  ada = region.connect('ada', { tabId: 'ada1' })
  can = region.connect('can', { tabId: 'can1' })
  deniz = region.connect('deniz')
})
afterEach(() => {
  cluster.close()
  vi.useRealTimers()
})

/** A running call. */
async function connectCall(): Promise<string> {
  const callId = await ring(ada, 'can')
  await sendOffer(ada, callId)
  await respond(can, callId, true)
  await sendAnswer(can, callId)
  await pass()
  return callId
}

describe('a call', () => {
  it('[CALL-01] rings on all connections, and its signals go between the two that take part', async () => {
    const can2 = region.connect('can')
    const callId = await ring(ada, 'can')
    await pass()
    for (const device of [can, can2])
      expect(device.received('dmVoiceCallRequest')).toMatchObject([
        { callId, callType: 'voice', senderUsername: 'ada', sender: { id: ada.userId }, isStaff: false },
      ])
    await sendOffer(ada, callId)
    expect(can.received('dmWebRTCOffer')).toEqual([])
    expect(codeOf(await respond(ada, callId, true))).toBe('NoSuchCall')
    expect(await respond(can, callId, true)).toEqual({ success: true })
    await pass()
    expect(ada.received('dmVoiceCallResponse')).toMatchObject([{ callId, accepted: true, isCameraOn: false }])
    expect(can2.received('dmEndCall')).toMatchObject([{ callId, reason: 'answeredElsewhere' }])
    expect(can.received('dmWebRTCOffer')).toMatchObject([{ callId, negotiation: 1, isNewConnection: false }])
    expect(can.received('dmCallMedia')).toMatchObject([{ isMicrophoneOn: true, isCameraOn: false }])
    expect(await sendAnswer(can, callId)).toEqual({ success: true })
    await pass()
    expect(ada.received('dmWebRTCAnswer')).toMatchObject([{ callId, negotiation: 1 }])
    expect(await ada.request('dmEndCall', { callId })).toEqual({ success: true })
    await pass()
    expect([endOf(can), endOf(ada)]).toEqual(['hangUp', 'hangUp'])
    expect(can2.received('dmWebRTCOffer')).toEqual([])
    expect(deniz.log).toEqual(deniz.log.filter((name) => !name.startsWith('dm')))
    expect([region.relay.openCount(), region.missed]).toEqual([0, []])
  })

  it('[CALL-01] tells the caller the id before anything else about the call', async () => {
    deniz.disconnect()
    await pass(4_000)
    await ring(ada, 'deniz')
    await pass()
    expect(ada.log.filter((name) => name.startsWith('answer') || name.startsWith('dm'))).toEqual([
      'answer 1',
      'dmVoiceCallResponse',
    ])
  })

  it('[CALL-04] refuses a second call of a user, and tells a caller of one who is in a call that it was declined', async () => {
    const ada2 = region.connect('ada')
    await connectCall()
    expect(codeOf(await request(ada, 'deniz'))).toBe('CallBusy')
    expect(codeOf(await request(ada2, 'deniz'))).toBe('CallBusy')
    const callId = await ring(deniz, 'can')
    await pass()
    expect(deniz.received('dmVoiceCallResponse')).toEqual([{ callId, accepted: false, reason: 'declined' }])
    expect(can.received('dmVoiceCallRequest')).toHaveLength(1)
    expect(region.missed).toMatchObject([{ callId, callerId: deniz.userId, calleeId: can.userId }])
  })

  it('[CALL-04] refuses two requests at once from one user', async () => {
    const ada2 = region.connect('ada')
    const answers = await Promise.all([request(ada, 'can'), request(ada2, 'deniz'), request(ada, 'deniz')])
    expect(answers.map(codeOf)).toEqual([null, 'CallBusy', 'CallBusy'])
  })

  it('[CALL-05] that is declined stops on the other devices and leaves no notification', async () => {
    const can2 = region.connect('can')
    const callId = await ring(ada, 'can')
    await respond(can2, callId, false)
    await pass()
    expect(ada.received('dmVoiceCallResponse')).toEqual([{ callId, accepted: false, reason: 'declined' }])
    expect([endOf(can), endOf(can2)]).toEqual(['declinedElsewhere', null])
    expect([region.missed, region.outcomes]).toEqual([[], ['declined']])
    expect(codeOf(await respond(can, callId, true))).toBe('NoSuchCall')
  })

  it('[CALL-06] to a user without a connection is told as offline, and recorded', async () => {
    deniz.disconnect()
    await pass(4_000)
    const callId = await ring(ada, 'deniz')
    await pass()
    expect(ada.received('dmVoiceCallResponse')).toEqual([{ callId, accepted: false, reason: 'offline' }])
    expect(region.missed).toHaveLength(1)
    const second = await ring(ada, 'can')
    can.disconnect()
    await pass(CALLEE_GONE_MS - 500)
    expect(ada.received('dmVoiceCallResponse')).toHaveLength(1)
    await pass(1_000)
    expect(ada.received('dmVoiceCallResponse').at(-1)).toMatchObject({ callId: second, reason: 'offline' })
    expect(region.missed).toHaveLength(2)
  })

  it('[CALL-06] rings on when the callee reloads the page or changes the network', async () => {
    const callId = await ring(ada, 'can')
    can.disconnect()
    await pass(6_000)
    const can2 = region.connect('can')
    await pass(10_000)
    expect(can2.received('dmVoiceCallRequest')).toMatchObject([{ callId }])
    expect([ada.received('dmVoiceCallResponse'), endOf(ada)]).toEqual([[], null])
    expect(await respond(can2, callId, true)).toEqual({ success: true })
  })

  it('[CALL-07] ends for both when it is not answered in time, and is recorded once', async () => {
    const callId = await ring(ada, 'can')
    await pass(RING_TIMEOUT_MS - 1)
    expect([endOf(ada), endOf(can)]).toEqual([null, null])
    await pass(500)
    expect([endOf(ada), endOf(can)]).toEqual(['unanswered', 'unanswered'])
    const missed = { callId, callType: 'voice', callerId: ada.userId, calleeId: can.userId }
    expect(region.missed).toEqual([missed])
  })

  it('[CALL-08] stops ringing when the caller hangs up, closes the page or loses the network', async () => {
    await ada.request('dmEndCall', { callId: await ring(ada, 'can') })
    await pass()
    expect([endOf(can), region.missed.length]).toEqual(['hangUp', 1])

    await ring(ada, 'can')
    ada.disconnect()
    await pass(CALLER_GONE_MS - 500)
    expect(can.received('dmEndCall')).toHaveLength(1)
    await pass(1_000)
    expect([can.received('dmEndCall').length, region.missed.length]).toEqual([2, 2])

    const ada2 = region.connect('ada')
    await ring(ada2, 'can')
    await pass(2_000)
    ada2.answersPings = false
    await pass(3_500)
    expect(can.received('dmEndCall')).toHaveLength(2)
    await pass(1_500)
    expect([can.received('dmEndCall').length, region.missed.length]).toEqual([3, 3])
  })

  it('[CALL-08] goes on ringing when the caller answers pings again in time', async () => {
    await ring(ada, 'can')
    ada.answersPings = false
    await pass(3_000)
    ada.connection.pong()
    ada.answersPings = true
    await pass(10_000)
    expect(endOf(can)).toBeNull()
  })

  it('[CALL-23] rings on a device that connects meanwhile, and not where the callee calls from', async () => {
    const callId = await ring(ada, 'can')
    await pass()
    const can2 = region.connect('can')
    await pass()
    expect(can2.received('dmVoiceCallRequest')).toMatchObject([{ callId }])
    const ada2 = region.connect('ada')
    await pass()
    expect(ada2.log.filter((name) => name.startsWith('dm'))).toEqual([])
  })
})

describe('the descriptions of a call', () => {
  it('[CALL-11] show each side the relay, with credentials of its own leg', async () => {
    await connectCall()
    const [legs] = region.relay.calls.map((call) => call.legs.map(({ credentials }) => credentials.usernameFragment))
    const offered = relayIn(String(can.received('dmWebRTCOffer')[0]?.sdp))
    const answered = relayIn(String(ada.received('dmWebRTCAnswer')[0]?.sdp))
    expect([answered.usernameFragment, offered.usernameFragment]).toEqual(legs)
  })

  it('[CALL-11] come from their side only, with rising numbers, one answer to the latest offer', async () => {
    const callId = await ring(ada, 'can')
    expect(codeOf(await sendAnswer(can, callId))).toBe('NoSuchCall')
    expect(codeOf(await sendOffer(ada, callId, 2, 'v=0'))).toBe('InvalidInput')
    await sendOffer(ada, callId, 2, OFFER)
    await sendOffer(ada, callId, 3, OFFER.replace('s=-', 's=later'))
    expect(codeOf(await sendOffer(ada, callId, 3))).toBe('InvalidInput')
    await respond(can, callId, true)
    await pass()
    expect(can.received('dmWebRTCOffer')).toMatchObject([{ negotiation: 3 }])
    expect(codeOf(await sendOffer(can, callId, 4))).toBe('NoSuchCall')
    expect(codeOf(await sendAnswer(ada, callId, 3))).toBe('NoSuchCall')
    expect(codeOf(await sendAnswer(can, callId, 2))).toBe('InvalidInput')
    expect(codeOf(await sendAnswer(can, callId, 3, 'nothing'))).toBe('InvalidInput')
    expect(codeOf(await sendAnswer(can, callId, 3))).toBeNull()
    expect(codeOf(await sendAnswer(can, callId, 3))).toBe('InvalidInput')
    await pass()
    expect(ada.received('dmWebRTCAnswer')).toHaveLength(1)
  })

  it('[CALL-11] get new credentials with an ICE restart alone', async () => {
    const callId = await connectCall()
    const fragments = () => region.relay.calls[0]?.legs.map(({ credentials }) => credentials.usernameFragment)
    const before = fragments()
    await sendOffer(ada, callId, 2, OFFER)
    expect(fragments()).toEqual(before)
    await sendOffer(ada, callId, 3, restarted(OFFER, 'anew'))
    await sendAnswer(can, callId, 3, restarted(ANSWER, 'anew'))
    await pass()
    const told = [ada.received('dmWebRTCAnswer').at(-1), can.received('dmWebRTCOffer').at(-1)]
    expect(told.map((event) => relayIn(String(event?.sdp)).usernameFragment)).toEqual(fragments())
    expect(fragments()).not.toEqual(before)
  })

  it('[CALL-12] have their candidates accepted and never sent on, but for the end', async () => {
    const callId = await connectCall()
    const candidate = { candidate: 'candidate:1 1 udp 2122260223 198.51.100.7 50000 typ host', sdpMid: '0' }
    const send = (value: typeof candidate | null) => ada.request('dmWebRTCIceCandidate', { callId, candidate: value })
    expect(await send(candidate)).toEqual({ success: true })
    expect(codeOf(await send({ candidate: 'x'.repeat(513), sdpMid: '0' }))).toBe('InvalidInput')
    expect(codeOf(await send({ candidate: 'anything', sdpMid: '0' }))).toBe('InvalidInput')
    expect(await send(null)).toEqual({ success: true })
    await pass()
    expect(can.received('dmWebRTCIceCandidate')).toEqual([{ callId, candidate: null }])
  })

  it('[CALL-11] are asked for by the callee, who gets an offer of a new connection', async () => {
    const callId = await connectCall()
    expect(codeOf(await ada.request('dmRenegotiate', { callId, isNewConnection: true }))).toBe('NoSuchCall')
    await can.request('dmRenegotiate', { callId, isNewConnection: true })
    await pass()
    expect(ada.received('dmRenegotiate')).toEqual([{ callId, isNewConnection: true }])
    await sendOffer(ada, callId, 2, restarted(OFFER, 'page2'), true)
    await pass()
    expect(can.received('dmWebRTCOffer').at(-1)).toMatchObject({ negotiation: 2, isNewConnection: true })
  })
})

describe('camera and microphone', () => {
  it('[CALL-13] are told to the other side alone', async () => {
    const callId = await connectCall()
    const media = { isMicrophoneOn: false, isCameraOn: true, isScreenShared: false }
    await can.request('dmCallMedia', { callId, ...media })
    await pass()
    expect(ada.received('dmCallMedia')).toEqual([{ callId, ...media }])
    expect(can.received('dmCallMedia')).toHaveLength(1)
  })

  it('[CALL-13] can be changed too often, and the call still ends at once', async () => {
    const strict = createCallCluster(database, ['ist'], 1)
    const [caller, callee] = [strict.region('ist').connect('ada'), strict.region('ist').connect('can')]
    const callId = await ring(caller, 'can')
    const media = { isMicrophoneOn: false, isCameraOn: false, isScreenShared: false }
    await respond(callee, callId, true)
    let code: string | null = null
    for (let number = 0; number < 100 && code === null; number++) {
      code = codeOf(await caller.request('dmCallMedia', { callId, ...media }))
      await pass(200)
    }
    expect(code).toBe('RateLimited')
    expect(await caller.request('dmEndCall', { callId })).toEqual({ success: true })
    await pass()
    expect(endOf(callee)).toBe('hangUp')
    strict.close()
  })

  it('[CALL-13] turn a voice call into a video call when the other agrees', async () => {
    const callId = await connectCall()
    const send = (tab: CallTab, action: 'ask' | 'accept' | 'decline') => tab.request('dmCallVideo', { callId, action })
    expect(codeOf(await send(can, 'accept'))).toBe('InvalidInput')
    await send(ada, 'ask')
    expect(codeOf(await send(ada, 'accept'))).toBe('InvalidInput')
    await send(can, 'decline')
    await send(ada, 'ask')
    await send(can, 'ask')
    await pass()
    expect(can.received('dmCallVideo').map(({ action }) => action)).toEqual(['ask', 'ask'])
    expect(ada.received('dmCallVideo').map(({ action }) => action)).toEqual(['decline', 'accept'])
    expect(codeOf(await send(ada, 'ask'))).toBe('InvalidInput')
  })
})

describe('a participant', () => {
  it('[CALL-14] who lost the connection comes back to the running call within ten seconds', async () => {
    const callId = await connectCall()
    can.disconnect()
    await pass(REJOIN_TIMEOUT_MS - 1_000)
    const can2 = region.connect('can', { tabId: 'can1' })
    await pass()
    expect(can2.received('currentCall')).toMatchObject([
      { call: { callId, role: 'callee', phase: 'active', negotiation: 1, other: { id: ada.userId } } },
    ])
    const rejoined = await can2.request('rejoinCall', { callId })
    expect(rejoined).toMatchObject({ success: true, call: { callId, role: 'callee' } })
    await pass(60_000)
    expect([endOf(ada), region.relay.openCount()]).toEqual([null, 1])
    await can2.request('dmEndCall', { callId })
    await pass()
    expect(endOf(ada)).toBe('hangUp')
  })

  it('[CALL-14] gets the offer or the answer again that came while away', async () => {
    const callId = await connectCall()
    ada.disconnect()
    await can.request('dmRenegotiate', { callId, isNewConnection: false })
    const ada2 = region.connect('ada')
    await ada2.request('rejoinCall', { callId })
    await pass()
    expect(ada2.log).toEqual(expect.arrayContaining(['dmWebRTCAnswer', 'dmRenegotiate']))
    can.disconnect()
    await sendOffer(ada2, callId, 2)
    const can2 = region.connect('can')
    await can2.request('rejoinCall', { callId })
    await pass()
    expect(can2.received('dmWebRTCOffer')).toMatchObject([{ negotiation: 2 }])
    expect(codeOf(await sendAnswer(can2, callId, 2))).toBeNull()
  })

  it('[CALL-16] who comes back to a user with a block ends the call, also if its event was missed', async () => {
    const callId = await connectCall()
    can.disconnect()
    const can2 = region.connect('can')
    database.db
      .prepare('insert into block (blockerId, blockedId, createdAt) values (?, ?, 0)')
      .run(ada.userId, can.userId)
    expect(codeOf(await can2.request('rejoinCall', { callId }))).toBe('NoSuchCall')
    expect(region.relay.openCount()).toBe(0)
    database.db.prepare('delete from block').run()
  })

  it('[CALL-14] whose connection is slow keeps a running call, as its media do not need it', async () => {
    await connectCall()
    ada.answersPings = false
    await pass(30_000)
    expect([endOf(ada), endOf(can), region.relay.openCount()]).toEqual([null, null, 1])
  })

  it('[CALL-14] who does not come back loses the call for both', async () => {
    await connectCall()
    ada.disconnect()
    await pass(REJOIN_TIMEOUT_MS + 500)
    expect([endOf(can), region.relay.openCount()]).toEqual(['connectionLost', 0])
    expect(region.missed).toEqual([])
  })

  it('[CALL-14] is not replaced by another device while the connection is there', async () => {
    const callId = await connectCall()
    const other = region.connect('can', { tabId: 'can2' })
    expect(codeOf(await other.request('rejoinCall', { callId }))).toBe('NoSuchCall')
    expect(codeOf(await other.request('dmEndCall', { callId }))).toBe('NoSuchCall')
  })

  it('[CALL-15] whose media the relay has lost ends the call; a full relay ends it at the acceptance', async () => {
    await connectCall()
    region.relay.calls[0]?.die(1)
    await pass()
    expect([endOf(ada), endOf(can), region.relay.openCount()]).toEqual(['connectionLost', 'connectionLost', 0])
    region.relay.isFull = true
    await respond(can, await ring(ada, 'can'), true)
    await pass()
    expect([endOf(ada), endOf(can)]).toEqual(['failed', 'failed'])
    expect(region.calls.connections.size).toBe(0)
  })

  it('[CALL-16] who continues on another connection ends the call at once', async () => {
    await connectCall()
    region.duplicates.takeOver(region.connect('ada').connection)
    expect(region.relay.openCount()).toBe(0)
    await pass()
    expect(endOf(can)).toBe('hangUp')
  })
})

describe('a call id', () => {
  it('[CALL-10] of other users, of none and of a call that is over is refused alike, and they notice nothing', async () => {
    const callId = await connectCall()
    const can2 = region.connect('can')
    const before = [ada.log.length, can.log.length]
    const media = { isMicrophoneOn: false, isCameraOn: false, isScreenShared: false }
    const tries = (tab: CallTab, id: string) => [
      respond(tab, id, true),
      respond(tab, id, false),
      sendOffer(tab, id, 9),
      sendAnswer(tab, id, 1),
      tab.request('dmWebRTCIceCandidate', { callId: id, candidate: null }),
      tab.request('dmEndCall', { callId: id }),
      tab.request('dmCallMedia', { callId: id, ...media }),
      tab.request('dmCallVideo', { callId: id, action: 'ask' }),
      tab.request('dmRenegotiate', { callId: id, isNewConnection: true }),
      tab.request('rejoinCall', { callId: id }),
    ]
    const unknown = await Promise.all(tries(deniz, '0e7e1f3a-1111-4111-8111-111111111111'))
    expect(unknown.map(codeOf)).toEqual(unknown.map(() => 'NoSuchCall'))
    expect(await Promise.all(tries(deniz, callId))).toEqual(unknown)
    expect(await Promise.all(tries(can2, callId))).toEqual(unknown)
    await pass()
    expect([ada.log.length, can.log.length]).toEqual(before)
    await ada.request('dmEndCall', { callId })
    expect(await Promise.all(tries(ada, callId))).toEqual(unknown)
  })
})
