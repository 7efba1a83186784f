import { beforeEach, describe, expect, it } from 'vitest'
import { endTexts } from '../../../shared/calls/texts.ts'
import { CALL_ID, CAN, CallHarness, currentCall, offer } from './testing/call-harness.ts'

let page: CallHarness

beforeEach(async () => {
  page = await new CallHarness().connect()
})

const phase = () => page.call?.phase ?? null

describe('a lost WebSocket', () => {
  it('[CALLCLIENT-13] is tried again at once, and the call goes on over the same connection', async () => {
    page.answer('rejoinCall', { success: true, call: currentCall() })
    await page.callAndConnect()
    page.drop()
    expect(phase()).toBe('connected')
    await page.reconnect()
    expect(page.sent('rejoinCall')).toEqual([{ callId: CALL_ID }])
    expect([page.connections.length, page.sent('dmWebRTCOffer').length, phase()]).toEqual([1, 1, 'connected'])
  })

  it('[CALLCLIENT-13] that does not come back within 10 s ends the call, and releases all', async () => {
    await page.callAndConnect()
    page.drop()
    await page.environment.advance(9_999)
    expect(phase()).toBe('connected')
    await page.environment.advance(1)
    expect(page.call).toMatchObject({ phase: 'ended', endText: endTexts.connectionLost, canCallAgain: true })
    expect([page.devices.liveTracks(), page.connection.connectionState]).toEqual([[], 'closed'])
  })

  it('[CALLCLIENT-13] that comes back and is lost again may take as long again', async () => {
    page.answer('rejoinCall', { success: true, call: currentCall() })
    await page.callAndConnect()
    for (let loss = 0; loss < 2; loss++) {
      page.drop()
      await page.environment.advance(8_000)
      await page.greet()
      expect(phase()).toBe('connected')
    }
    await page.environment.advance(20_000)
    expect(phase()).toBe('connected')
  })

  it('[CALLCLIENT-13] makes the caller send an offer that the server has not got', async () => {
    page.answer('rejoinCall', { success: true, call: currentCall({ negotiation: 1 }) })
    await page.callAndConnect()
    page.drop()
    for (const run of page.networkListeners) run()
    await page.reconnect()
    expect(page.sent('dmWebRTCOffer').map(({ negotiation }) => negotiation)).toEqual([1, 3])
    expect(page.connections).toHaveLength(1)
  })

  it('[CALLCLIENT-13] lets a participant learn that the other has agreed to video meanwhile', async () => {
    await page.callAndConnect()
    page.store.patch({ videoRequest: 'sent' })
    page.answer('rejoinCall', { success: true, call: currentCall({ callType: 'video' }) })
    page.drop()
    await page.reconnect()
    expect(page.call).toMatchObject({ callType: 'video', videoRequest: null })
  })

  it('[CALLCLIENT-13] lets the caller learn that the call was accepted meanwhile', async () => {
    await page.calls.start(CAN, 'voice')
    page.answer('rejoinCall', { success: true, call: currentCall() })
    page.drop()
    await page.reconnect()
    expect(phase()).toBe('connecting')
  })

  it('[CALLCLIENT-13] tries again while the server refuses it for another reason', async () => {
    await page.callAndConnect()
    page.refuse('rejoinCall', 'RegionCut')
    page.drop()
    await page.reconnect()
    expect(phase()).not.toBe('ended')
    page.answer('rejoinCall', { success: true, call: currentCall() })
    await page.environment.advance(1_000)
    expect(page.sent('rejoinCall')).toHaveLength(2)
    await page.environment.advance(10_000)
    expect(phase()).not.toBe('ended')
  })

  it('[CALLCLIENT-13] gives up after 10 s of refusals', async () => {
    await page.callAndConnect()
    page.refuse('rejoinCall', 'RegionCut')
    page.drop()
    await page.reconnect()
    await page.environment.advance(10_000)
    expect(page.call).toMatchObject({ phase: 'ended', endText: endTexts.connectionLost, canCallAgain: true })
  })

  it('[CALLCLIENT-13] ends the call where the server knows it no more', async () => {
    await page.callAndConnect()
    page.refuse('rejoinCall', 'NoSuchCall')
    page.drop()
    await page.reconnect()
    expect(page.call).toMatchObject({ phase: 'ended', endText: endTexts.connectionLost, canCallAgain: true })
    expect(page.devices.liveTracks()).toEqual([])
  })
})

describe('a reloaded page', () => {
  /** The page after a reload. */
  async function reload(role: 'caller' | 'callee', more: Parameters<typeof currentCall>[0] = {}): Promise<CallHarness> {
    const next = new CallHarness(page.environment)
    next.answer('rejoinCall', { success: true, call: currentCall({ role, ...more }) })
    await next.connect()
    await next.calls.resume()
    return next
  }

  it('[CALLCLIENT-14] rejoins as the caller with a new connection and what was on', async () => {
    await page.callAndConnect('video')
    await page.calls.active?.toggleMicrophone()
    page.calls.active?.setSpeaker(false)
    const next = await reload('caller', { negotiation: 4, callType: 'video' })
    expect(next.call).toMatchObject({
      ...{ phase: 'reconnecting', callId: CALL_ID, callType: 'video', remoteUsername: 'Can' },
      ...{ isCameraOn: true, isMicrophoneOn: false, isSpeakerOn: false },
    })
    await expect
      .poll(() => next.sent('dmWebRTCOffer'))
      .toMatchObject([{ callId: CALL_ID, negotiation: 5, isNewConnection: true }])
    await next.emit('dmWebRTCAnswer', { callId: CALL_ID, negotiation: 5, sdp: 'a=fingerprint:sha-256 CC:CC\r\n' })
    await next.becomeConnected()
    expect(next.call?.phase).toBe('connected')
  })

  it('[CALLCLIENT-14] rejoins as the callee, and asks for an offer of a new connection', async () => {
    await page.acceptAndConnect()
    const next = await reload('callee')
    expect(next.sent('dmRenegotiate')).toEqual([{ callId: CALL_ID, isNewConnection: true }])
    await next.emit('dmWebRTCOffer', offer(2, 'DD:DD', true))
    expect(next.sent('dmWebRTCAnswer')).toMatchObject([{ negotiation: 2 }])
    expect(next.connections).toHaveLength(1)
  })

  it('[CALLCLIENT-14] goes on ringing for the caller', async () => {
    await page.calls.start(CAN, 'voice')
    const next = await reload('caller', { phase: 'ringing' })
    expect(next.call).toMatchObject({ phase: 'outgoing', callId: CALL_ID })
    await next.emit('dmVoiceCallResponse', { callId: CALL_ID, accepted: true })
    expect(next.call?.phase).toBe('connecting')
  })

  it('[CALLCLIENT-14] has no call where it was in none, or in one that is over', async () => {
    const next = await reload('caller')
    expect([next.sent('rejoinCall'), next.call]).toEqual([[], null])
    await page.callAndConnect()
    const late = new CallHarness(page.environment)
    late.refuse('rejoinCall', 'NoSuchCall')
    await late.connect()
    await late.calls.resume()
    await late.calls.resume()
    expect([late.sent('rejoinCall').length, late.call, late.devices.opened]).toEqual([1, null, []])
  })
})
