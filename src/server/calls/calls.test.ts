import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type RefusalBody, refusals } from '../../shared/protocol/refusals.ts'
import { openTestRegion, type TestClient, type TestRegion, type TestUser } from '../testing/fixtures/test-region.ts'
import { ANSWER, OFFER } from './testing/descriptions.ts'

let region: TestRegion
let ada: TestUser
let can: TestUser
let deniz: TestUser
let turn = 0

beforeAll(async () => {
  region = await openTestRegion({ MEYDAN_LIMIT_SCALE: '1000', MEYDAN_RELAY_ADDRESSES: '127.0.0.1' })
})
afterAll(() => region.destroy())
beforeEach(async () => {
  turn++
  ada = await region.createMember(`ada${turn}`)
  can = await region.createMember(`can${turn}`)
  deniz = await region.createMember(`deniz${turn}`)
})

const request = (client: TestClient, { username }: TestUser, callType: 'voice' | 'video' = 'voice') =>
  client.request('dmVoiceCallRequest', { recipientUsername: username, callType })

/** Calls, and answers the call's id. */
async function ring(client: TestClient, callee: TestUser, callType: 'voice' | 'video' = 'voice'): Promise<string> {
  const answer = await request(client, callee, callType)
  if (!('callId' in answer)) throw new Error(JSON.stringify(answer))
  return answer.callId
}

const codeOf = (answer: object) => ('code' in answer ? (answer as RefusalBody).code : null)

it('[CALL-01] passes a call from request to answer', async () => {
  const a = await region.connectAs(ada)
  const [c1, c2, outsider] = [await region.connectAs(can), await region.connectAs(can), await region.connectAs(deniz)]
  const callId = await ring(a, can)
  for (const device of [c1, c2])
    expect(await device.waitForEvent('dmVoiceCallRequest')).toMatchObject({
      ...{ callId, callType: 'voice', senderUsername: ada.username, isStaff: false },
      sender: { id: ada.userId },
    })
  expect(await a.request('dmWebRTCOffer', { callId, negotiation: 1, sdp: OFFER, isNewConnection: false })).toEqual({
    success: true,
  })
  expect(await c1.request('dmVoiceCallResponse', { callId, accepted: true })).toEqual({ success: true })
  expect(await a.waitForEvent('dmVoiceCallResponse')).toMatchObject({ callId, accepted: true, isCameraOn: false })
  expect(await c2.waitForEvent('dmEndCall')).toMatchObject({ callId, reason: 'answeredElsewhere' })
  const offer = await c1.waitForEvent('dmWebRTCOffer')
  expect(offer).toMatchObject({ callId, negotiation: 1, isNewConnection: false })
  expect(offer.sdp).toContain('a=ice-lite')
  expect(await c1.request('dmWebRTCAnswer', { callId, negotiation: 1, sdp: ANSWER })).toEqual({ success: true })
  expect((await a.waitForEvent('dmWebRTCAnswer')).sdp).toContain('a=ice-lite')
  expect(await a.request('dmEndCall', { callId })).toEqual({ success: true })
  expect(await c1.waitForEvent('dmEndCall')).toMatchObject({ callId, reason: 'hangUp' })
  expect(codeOf(await a.request('dmEndCall', { callId }))).toBe('NoSuchCall')
  expect([outsider.countEvents('dmVoiceCallRequest'), c2.countEvents('dmWebRTCOffer')]).toEqual([0, 0])
  expect(refusals.NoSuchCall.status).toBe(404)
})
