import { beforeEach, describe, expect, it } from 'vitest'
import { CALL_ID, CAN, CallHarness, describe as describeSession, offer, settle } from '../testing/call-harness.ts'

let page: CallHarness

beforeEach(async () => {
  page = await new CallHarness().connect()
})

const changeNetwork = async (): Promise<void> => {
  for (const run of page.networkListeners) run()
  await settle()
}

describe('the connection of a call', () => {
  it('[CALLCLIENT-10] has audio before video in both directions from the first offer on, and no ICE server', async () => {
    await page.calls.start(CAN, 'voice')
    await settle()
    const { configuration, transceivers } = page.connection
    expect(configuration).toEqual({ iceServers: [], bundlePolicy: 'max-bundle' })
    expect(transceivers.map(({ receiver, direction }) => [receiver.track.kind, direction])).toEqual([
      ['audio', 'sendrecv'],
      ['video', 'sendrecv'],
    ])
  })

  it('[CALLCLIENT-10] answers in both directions too', async () => {
    await page.acceptAndConnect()
    expect(page.connection.transceivers.map(({ direction }) => direction)).toEqual(['sendrecv', 'sendrecv'])
    expect(page.connection.sender('audio').track).toBe(page.devices.last('audio'))
  })

  it('[CALLCLIENT-11] applies candidates that come before the description after it', async () => {
    await page.ring()
    await page.calls.accept()
    page.calls.active?.receive.candidate({ candidate: 'candidate:1' })
    await page.emit('dmWebRTCIceCandidate', { callId: CALL_ID, candidate: null })
    expect(page.connection.log).toEqual([])
    await page.emit('dmWebRTCOffer', offer(1))
    expect(page.connection.log).toEqual(['remote offer', 'answer', 'candidate candidate:1', 'candidate end'])
  })

  it('[CALLCLIENT-11] reports a candidate that the browser refuses, and goes on', async () => {
    await page.ring()
    await page.calls.accept()
    await page.emit('dmWebRTCIceCandidate', { callId: CALL_ID, candidate: null })
    page.connection.addIceCandidate = () => Promise.reject(new Error('refused by the test'))
    await page.emit('dmWebRTCOffer', offer(1))
    expect(page.sent('dmWebRTCAnswer')).toHaveLength(1)
    expect(page.environment.reportedErrors).toHaveLength(1)
  })

  it('[CALLCLIENT-11] sends its candidates as they come', async () => {
    await page.calls.start(CAN, 'voice')
    await settle()
    const found = (candidate: object | null) => Object.assign(new Event('icecandidate'), { candidate })
    const init = { candidate: 'candidate:1', sdpMid: '0', sdpMLineIndex: 0, usernameFragment: 'abcd' }
    page.connection.dispatchEvent(found({ toJSON: () => init }))
    page.connection.dispatchEvent(found(null))
    expect(page.sent('dmWebRTCIceCandidate')).toEqual([
      { callId: CALL_ID, candidate: { candidate: 'candidate:1', sdpMid: '0', sdpMLineIndex: 0 } },
      { callId: CALL_ID }, // null, which frames leave out
    ])
  })
})

describe('offers and answers', () => {
  it('[CALLCLIENT-11] are handled one at a time', async () => {
    await page.acceptAndConnect()
    void page.emit('dmWebRTCOffer', offer(2))
    await page.emit('dmWebRTCOffer', offer(3))
    expect(page.connection.log).toEqual(['remote offer', 'answer', 'remote offer', 'answer', 'remote offer', 'answer'])
    // Of two that came together only the later one's answer is sent.
    expect(page.sent('dmWebRTCAnswer').map(({ negotiation }) => negotiation)).toEqual([1, 3])
  })

  it('[CALLCLIENT-11] an answer to an earlier offer is not applied', async () => {
    await page.callAndConnect()
    await changeNetwork()
    const answer = { callId: CALL_ID, sdp: describeSession('answer') }
    await page.emit('dmWebRTCAnswer', { ...answer, negotiation: 1 })
    expect(page.connection.log.at(-1)).toBe('offer with restart')
    await page.emit('dmWebRTCAnswer', { ...answer, negotiation: 2 })
    await page.emit('dmWebRTCAnswer', { ...answer, negotiation: 2 })
    expect(page.connection.log.slice(-2)).toEqual(['offer with restart', 'remote answer'])
  })

  it('[CALLCLIENT-11] an answer that comes while the next offer is made is not applied to that one', async () => {
    await page.calls.start(CAN, 'voice')
    await settle()
    await page.emit('dmVoiceCallResponse', { callId: CALL_ID, accepted: true })
    const changed = changeNetwork()
    const answer = { callId: CALL_ID, sdp: describeSession('answer') }
    void page.emit('dmWebRTCAnswer', { ...answer, negotiation: 1 })
    await changed
    expect(page.connection.log).toEqual(['offer', 'offer with restart'])
    await page.emit('dmWebRTCAnswer', { ...answer, negotiation: 2 })
    expect(page.connection.log).toEqual(['offer', 'offer with restart', 'remote answer'])
  })

  it('[CALLCLIENT-11] an earlier offer that comes late gets no answer', async () => {
    await page.acceptAndConnect()
    await page.emit('dmWebRTCOffer', offer(2))
    await page.emit('dmWebRTCOffer', offer(1))
    expect(page.sent('dmWebRTCAnswer').map(({ negotiation }) => negotiation)).toEqual([1, 2])
    expect(page.connection.log).toEqual(['remote offer', 'answer', 'remote offer', 'answer'])
  })

  it('[CALLCLIENT-11] an offer that comes again gets the same answer again', async () => {
    await page.acceptAndConnect()
    await page.emit('dmWebRTCOffer', offer(1))
    const [first, second] = page.sent('dmWebRTCAnswer')
    expect(second).toEqual(first)
    expect(page.connection.log).toEqual(['remote offer', 'answer'])
  })
})

describe('a lost network', () => {
  it('[CALLCLIENT-12] of the caller makes an offer with an ICE restart after 1 s', async () => {
    await page.callAndConnect()
    page.connection.become('disconnected')
    await page.environment.advance(999)
    expect([page.call?.phase, page.sent('dmWebRTCOffer').length]).toEqual(['connected', 1])
    await page.environment.advance(1)
    expect(page.call?.phase).toBe('reconnecting')
    expect(page.sent('dmWebRTCOffer')[1]).toMatchObject({ negotiation: 2, isNewConnection: false })
    expect(page.connection.log.at(-1)).toBe('offer with restart')
    await page.becomeConnected()
    expect(page.call?.phase).toBe('connected')
  })

  it('[CALLCLIENT-12] of the callee asks for one', async () => {
    await page.acceptAndConnect()
    page.connection.become('disconnected')
    await page.environment.advance(1_000)
    expect(page.sent('dmRenegotiate')).toEqual([{ callId: CALL_ID, isNewConnection: false }])
    expect(page.call?.phase).toBe('reconnecting')
  })

  it('[CALLCLIENT-12] that comes back within 1 s changes nothing', async () => {
    await page.callAndConnect()
    page.connection.become('disconnected')
    await page.environment.advance(900)
    page.connection.become('connected')
    await page.environment.advance(10_000)
    expect([page.call?.phase, page.sent('dmWebRTCOffer').length]).toEqual(['connected', 1])
  })

  it('[CALLCLIENT-12] a connection that failed, and another network, begin again at once', async () => {
    await page.callAndConnect()
    page.connection.become('failed')
    await settle()
    expect([page.call?.phase, page.sent('dmWebRTCOffer').length]).toEqual(['reconnecting', 2])
    await page.becomeConnected()
    await changeNetwork()
    expect([page.call?.phase, page.sent('dmWebRTCOffer').length]).toEqual(['connected', 3])
  })

  it('[CALLCLIENT-12] is tried every 5 s until there is a connection', async () => {
    await page.callAndConnect()
    page.connection.become('failed')
    await page.environment.advance(11_000)
    expect(page.sent('dmWebRTCOffer')).toHaveLength(4)
    await page.becomeConnected()
    await page.environment.advance(11_000)
    expect(page.sent('dmWebRTCOffer')).toHaveLength(4)
  })

  it('[CALLCLIENT-12] makes the caller renew its offer while it rings', async () => {
    await page.calls.start(CAN, 'voice')
    await settle()
    await changeNetwork()
    expect(page.sent('dmWebRTCOffer').map(({ negotiation }) => negotiation)).toEqual([1, 2])
  })
})

describe('a connection without packets', () => {
  const stall = async (): Promise<void> => {
    page.connection.packetRate = 25
    await page.environment.advance(2_000)
    page.connection.packetRate = 0
    await page.environment.advance(2_000)
  }

  it('[CALLCLIENT-27] of the caller gets an ICE restart, and is replaced if its answer brings none', async () => {
    await page.callAndConnect()
    const before = page.connection
    await stall()
    expect([page.call?.phase, before.log.at(-1)]).toEqual(['reconnecting', 'offer with restart'])
    await page.environment.advance(2_000)
    expect(page.connections).toHaveLength(1)
    await page.emit('dmWebRTCAnswer', { callId: CALL_ID, negotiation: 2, sdp: describeSession('answer') })
    await page.environment.advance(1_500)
    expect([before.connectionState, page.connections.length]).toEqual(['closed', 2])
    expect(page.sent('dmWebRTCOffer').at(-1)).toMatchObject({ negotiation: 3, isNewConnection: true })
    await page.emit('dmWebRTCAnswer', { callId: CALL_ID, negotiation: 3, sdp: describeSession('answer', 'DD:DD') })
    page.connection.packetRate = 25
    await page.becomeConnected()
    await page.environment.advance(10_000)
    expect([page.call?.phase, page.connections.length]).toEqual(['connected', 2])
  })

  it('[CALLCLIENT-27] is kept when packets come again', async () => {
    await page.callAndConnect()
    await stall()
    await page.emit('dmWebRTCAnswer', { callId: CALL_ID, negotiation: 2, sdp: describeSession('answer') })
    page.connection.packetRate = 25
    await page.environment.advance(10_000)
    expect([page.call?.phase, page.connections.length]).toEqual(['connected', 1])
    expect(page.sent('dmWebRTCOffer')).toHaveLength(2)
  })

  it('[CALLCLIENT-27] of the callee waits 5 s for an offer of the caller before it asks for one', async () => {
    await page.acceptAndConnect()
    await stall()
    expect([page.call?.phase, page.sent('dmRenegotiate')]).toEqual(['reconnecting', []])
    await page.environment.advance(5_000)
    expect(page.sent('dmRenegotiate')).toEqual([{ callId: CALL_ID, isNewConnection: false }])
  })

  it('[CALLCLIENT-27] of a user who sends nothing is as it should be', async () => {
    await page.callAndConnect()
    await page.emit('dmCallMedia', { callId: CALL_ID, isMicrophoneOn: false, isCameraOn: false, isScreenShared: false })
    await stall()
    expect([page.call?.phase, page.sent('dmWebRTCOffer').length]).toEqual(['connected', 1])
  })
})

describe('the other side', () => {
  it('[CALLCLIENT-12] asks the caller for an ICE restart on the same connection', async () => {
    await page.callAndConnect()
    await page.emit('dmRenegotiate', { callId: CALL_ID, isNewConnection: false })
    expect([page.connections.length, page.connection.log.at(-1)]).toEqual([1, 'offer with restart'])
  })

  it('[CALLCLIENT-14] reloaded as the callee gets a new connection from the caller', async () => {
    await page.callAndConnect('video')
    const before = page.connection
    const { remoteStream } = page.call ?? {}
    await page.emit('dmRenegotiate', { callId: CALL_ID, isNewConnection: true })
    expect([before.connectionState, page.connections.length]).toEqual(['closed', 2])
    expect(page.sent('dmWebRTCOffer')[1]).toMatchObject({ negotiation: 2, isNewConnection: true })
    await page.emit('dmWebRTCAnswer', { callId: CALL_ID, negotiation: 2, sdp: describeSession('answer', 'DD:DD') })
    await page.becomeConnected()
    expect(page.call?.remoteStream).not.toBe(remoteStream)
    expect(page.connection.sender('video').track).toBe(page.devices.last('video'))
    // From here on an offer is one of the same connection.
    await changeNetwork()
    expect(page.sent('dmWebRTCOffer')[2]).toMatchObject({ negotiation: 3, isNewConnection: false })
  })

  it('[CALLCLIENT-14] reloaded as the caller is answered by a new connection', async () => {
    await page.acceptAndConnect()
    const before = page.connection
    await page.emit('dmWebRTCOffer', offer(2, 'DD:DD', true))
    expect([before.connectionState, page.connections.length]).toEqual(['closed', 2])
    expect(page.sent('dmWebRTCAnswer')).toHaveLength(2)
    await page.emit('dmWebRTCOffer', offer(3, 'DD:DD'))
    expect(page.connections).toHaveLength(2)
  })

  it('[CALLCLIENT-14] that answers an offer of the earlier connection from a new page gets a new offer', async () => {
    await page.callAndConnect()
    await changeNetwork()
    await page.emit('dmWebRTCAnswer', { callId: CALL_ID, negotiation: 2, sdp: describeSession('answer', 'DD:DD') })
    expect(page.connections).toHaveLength(2)
    expect(page.sent('dmWebRTCOffer')[2]).toMatchObject({ negotiation: 3, isNewConnection: true })
    await page.emit('dmWebRTCAnswer', { callId: CALL_ID, negotiation: 3, sdp: describeSession('answer', 'DD:DD') })
    expect(page.connection.log.at(-1)).toBe('remote answer')
  })
})
