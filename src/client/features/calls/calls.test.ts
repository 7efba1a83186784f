import { beforeEach, describe, expect, it } from 'vitest'
import { microphoneFailureTexts } from '../../../shared/calls/media-texts.ts'
import { declineTexts, endTexts } from '../../../shared/calls/texts.ts'
import { CALL_ID, CAN, CallHarness, OTHER_CALL_ID, offer } from './testing/call-harness.ts'

let page: CallHarness

beforeEach(async () => {
  page = await new CallHarness().connect()
})

const phase = () => page.call?.phase ?? null

describe('a call that is made', () => {
  it('[CALLCLIENT-02] asks for the microphone, then rings, and sends its offer while it rings', async () => {
    let allow = () => {}
    page.devices.permission = new Promise((resolve) => {
      allow = resolve
    })
    const started = page.calls.start(CAN, 'voice')
    expect(page.call).toMatchObject({ phase: 'outgoing', isCalling: true, remoteUsername: 'Can', selfUsername: 'Ada' })
    expect(page.sent('dmVoiceCallRequest')).toEqual([])
    allow()
    await started
    expect(page.sent('dmVoiceCallRequest')).toEqual([
      { senderUsername: 'Ada', recipientUsername: 'Can', recipientId: CAN.id, callType: 'voice' },
    ])
    await expect.poll(() => page.sent('dmWebRTCOffer')).toMatchObject([{ callId: CALL_ID, negotiation: 1 }])
    expect([phase(), page.call?.callId]).toEqual(['outgoing', CALL_ID])
  })

  it.each([
    ['NotAllowedError', 'denied'],
    ['NotFoundError', 'missing'],
    ['NotReadableError', 'busy'],
  ] as const)(
    '[CALLCLIENT-03] does not ring without a microphone (%s), and says what to do',
    async (error, failure) => {
      page.devices.failures.set('audio', error)
      await page.calls.start(CAN, 'voice')
      expect(page.sent('dmVoiceCallRequest')).toEqual([])
      await page.environment.advance(60_000)
      expect(page.call).toMatchObject({
        phase: 'ended',
        deviceText: microphoneFailureTexts[failure],
        canCallAgain: true,
      })
    },
  )

  it('[CALLCLIENT-03] does not ring from a page without TLS', async () => {
    page = await new CallHarness(undefined, { devices: null }).connect()
    await page.calls.start(CAN, 'voice')
    expect(page.sent('dmVoiceCallRequest')).toEqual([])
    expect(page.call?.deviceText).toBe(microphoneFailureTexts.insecure)
  })

  it('shows why the server refuses it, for 3 s', async () => {
    page.refuse('dmVoiceCallRequest', 'CallBusy')
    await page.calls.start(CAN, 'voice')
    expect(page.call).toMatchObject({ phase: 'ended', endText: 'Zaten bir aramadasın.' })
    expect(page.devices.liveTracks()).toEqual([])
    await page.environment.advance(3_000)
    expect(phase()).toBeNull()
  })

  it.each(['declined', 'offline'] as const)('[CALLCLIENT-04] is declined (%s) for 3 s, then idle', async (reason) => {
    await page.calls.start(CAN, 'video')
    await page.emit('dmVoiceCallResponse', { callId: CALL_ID, accepted: false, reason })
    expect(page.call).toMatchObject({ phase: 'declined', callDeclined: true, endText: declineTexts[reason] })
    expect(page.devices.liveTracks()).toEqual([])
    await page.environment.advance(2_999)
    expect(phase()).toBe('declined')
    await page.environment.advance(1)
    expect(phase()).toBeNull()
  })

  it('ends the request whose answer comes after the caller gave up', async () => {
    page.answers.set('dmVoiceCallRequest', { success: true, callId: CALL_ID, role: 'caller' })
    const started = page.calls.start(CAN, 'voice')
    page.calls.end()
    await started
    expect([page.sent('dmVoiceCallRequest'), page.devices.liveTracks()]).toEqual([[], []])
  })

  it('[CALLCLIENT-09] becomes its callee when both call each other', async () => {
    await page.calls.start(CAN, 'voice')
    await page.emit('dmCallCrossed', { callId: CALL_ID, acceptCallId: OTHER_CALL_ID, callType: 'voice' })
    expect(page.sent('dmVoiceCallResponse')).toMatchObject([{ callId: OTHER_CALL_ID, accepted: true }])
    await page.emit('dmWebRTCOffer', { ...offer(1), callId: OTHER_CALL_ID })
    expect(page.sent('dmWebRTCAnswer')).toMatchObject([{ callId: OTHER_CALL_ID, negotiation: 1 }])
    expect([phase(), page.devices.opened.length]).toEqual(['connecting', 1])
  })

  it('[CALLCLIENT-09] answers at once when the other was first', async () => {
    page.answer('dmVoiceCallRequest', { success: true, callId: OTHER_CALL_ID, callType: 'voice', role: 'callee' })
    await page.calls.start(CAN, 'voice')
    expect(page.sent('dmVoiceCallResponse')).toMatchObject([{ callId: OTHER_CALL_ID, accepted: true }])
    expect(page.sent('dmWebRTCOffer')).toEqual([])
  })
})

describe('a call that comes in', () => {
  it('[CALLCLIENT-05] opens the microphone before it is accepted, and answers the offer', async () => {
    await page.ring('video')
    expect(page.call).toMatchObject({ phase: 'incoming', incomingCall: true, callType: 'video' })
    expect(page.devices.requests).toEqual([])
    await page.calls.accept()
    expect(page.sent('dmVoiceCallResponse')).toEqual([
      { callId: CALL_ID, accepted: true, isMicrophoneOn: true, isCameraOn: true, isScreenShared: false },
    ])
    expect(page.call).toMatchObject({ phase: 'connecting', callAccepted: true })
    await page.emit('dmWebRTCOffer', offer(1))
    expect(page.sent('dmWebRTCAnswer')).toMatchObject([{ callId: CALL_ID, negotiation: 1 }])
  })

  it('[CALLCLIENT-05] goes on ringing without a microphone, and is accepted once there is one', async () => {
    page.devices.failures.set('audio', 'NotAllowedError')
    await page.ring()
    await page.calls.accept()
    expect(page.call).toMatchObject({ phase: 'incoming', deviceText: microphoneFailureTexts.denied })
    expect(page.sent('dmVoiceCallResponse')).toEqual([])
    page.devices.failures.clear()
    await page.calls.accept()
    expect(page.call).toMatchObject({ phase: 'connecting', deviceText: null })
  })

  it('[CALLCLIENT-05] is accepted once, however often it is clicked', async () => {
    await page.ring()
    await Promise.all([page.calls.accept(), page.calls.accept()])
    await page.calls.accept()
    expect([page.sent('dmVoiceCallResponse').length, page.devices.requests.length]).toEqual([1, 1])
  })

  it('[CALLCLIENT-05] is accepted at once where the browser does not ask, and ends if the microphone fails', async () => {
    let allow = () => {}
    page.devices.permission = new Promise((resolve) => {
      allow = resolve
    })
    page.needsNoQuestion = true
    await page.ring()
    const accepted = page.calls.accept()
    expect([page.sent('dmVoiceCallResponse').length, phase()]).toEqual([1, 'connecting'])
    await page.emit('dmWebRTCOffer', offer(1))
    expect([page.sent('dmWebRTCAnswer').length, page.connection.sender('audio').track]).toEqual([1, null])
    page.devices.failures.set('audio', 'NotReadableError')
    allow()
    await accepted
    expect(page.sent('dmEndCall')).toEqual([{ callId: CALL_ID }])
    expect(page.call).toMatchObject({ phase: 'ended', deviceText: microphoneFailureTexts.busy, canCallAgain: true })
  })

  it('[CALLCLIENT-06] is declined with a click, and gone', async () => {
    await page.ring()
    page.calls.decline()
    expect(page.sent('dmVoiceCallResponse')).toEqual([{ callId: CALL_ID, accepted: false }])
    expect([phase(), page.devices.requests, page.connection.connectionState]).toEqual([null, [], 'closed'])
  })

  it('[CALLCLIENT-06] stops when another device has answered', async () => {
    await page.ring()
    const text = endTexts.answeredElsewhere
    page.calls.onEnded({ callId: OTHER_CALL_ID, reason: 'answeredElsewhere', text })
    expect(phase()).toBe('incoming')
    page.calls.onEnded({ callId: CALL_ID, reason: 'answeredElsewhere', text })
    expect(page.call).toMatchObject({ phase: 'ended', endText: text })
    await page.environment.advance(3_000)
    expect(phase()).toBeNull()
  })

  it('[CALLCLIENT-06] does not take the place of a call', async () => {
    await page.callAndConnect()
    await page.ring('video', OTHER_CALL_ID)
    expect(page.call).toMatchObject({ phase: 'connected', callId: CALL_ID })
  })

  it('[CALLCLIENT-13] rings on after a lost WebSocket if the server says so, and stops if it does not', async () => {
    await page.ring()
    page.drop()
    await page.reconnect()
    await page.ring()
    await page.environment.advance(5_000)
    expect(phase()).toBe('incoming')
    page.drop()
    await page.reconnect()
    await page.environment.advance(3_000)
    expect(phase()).toBe('ended')
    expect(page.sent('rejoinCall')).toEqual([])
  })
})

describe('the end of a call', () => {
  /** What of the call still runs. */
  async function whatGoesOn(): Promise<object> {
    const { connection, devices, networkListeners } = page
    const reads = connection.statsReads
    const requests = page.environment.transport.sent.length
    await page.environment.advance(20_000)
    return {
      tracks: devices.liveTracks().length,
      isClosed: connection.connectionState === 'closed',
      listeners: connection.listeners + networkListeners.size,
      statsReads: connection.statsReads - reads,
      requests: page.environment.transport.sent.length - requests,
      stored: page.environment.tabStorage.get('call'),
    }
  }
  const NOTHING = { tracks: 0, isClosed: true, listeners: 0, statsReads: 0, requests: 0, stored: null }

  it('[CALLCLIENT-07] releases all when this side ends it, tells the other, and is idle after 3 s', async () => {
    await page.callAndConnect('video')
    expect(page.devices.liveTracks()).toHaveLength(2)
    page.calls.end()
    expect(page.sent('dmEndCall')).toEqual([{ callId: CALL_ID }])
    expect(page.call).toMatchObject({ phase: 'ended', localStream: null, remoteStream: null })
    expect(await whatGoesOn()).toEqual(NOTHING)
    expect(phase()).toBeNull()
  })

  it('[CALLCLIENT-07] releases all when the other side ends it', async () => {
    await page.acceptAndConnect('video')
    page.calls.onEnded({ callId: CALL_ID, reason: 'hangUp', text: endTexts.hangUp })
    expect(page.call).toMatchObject({ phase: 'ended', endText: endTexts.hangUp })
    expect(await whatGoesOn()).toEqual(NOTHING)
    expect([phase(), page.sent('dmEndCall')]).toEqual([null, []])
  })

  it('[CALLCLIENT-07] stops a camera that the browser gives after the end', async () => {
    let allow = () => {}
    page.devices.permission = new Promise((resolve) => {
      allow = resolve
    })
    const started = page.calls.start(CAN, 'video')
    page.calls.end()
    allow()
    await started
    expect(page.devices.opened).toHaveLength(2)
    expect(page.devices.liveTracks()).toEqual([])
  })

  it.each(['regionLost', 'connectionLost'] as const)(
    '[CALLCLIENT-08] after %s stays until it is dismissed',
    async (reason) => {
      await page.callAndConnect()
      page.calls.onEnded({ callId: CALL_ID, reason, text: endTexts[reason] })
      await page.environment.advance(60_000)
      expect(page.call).toMatchObject({ phase: 'ended', endText: endTexts[reason], canCallAgain: true })
      page.calls.close()
      expect(phase()).toBeNull()
    },
  )

  it('[CALLCLIENT-08] leaves a call that is made during the 3 s alone', async () => {
    await page.callAndConnect()
    page.calls.end()
    await page.environment.advance(2_000)
    await page.calls.start(CAN, 'voice')
    await page.environment.advance(2_000)
    expect(phase()).toBe('outgoing')
  })

  it('[CALLCLIENT-07] is local at the end of the session', async () => {
    await page.callAndConnect()
    page.calls.abandon()
    expect(phase()).toBeNull()
    expect(await whatGoesOn()).toEqual(NOTHING)
  })
})
