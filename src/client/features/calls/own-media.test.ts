import { beforeEach, describe, expect, it } from 'vitest'
import {
  CAMERA_LOST_TEXT,
  cameraFailureTexts,
  MICROPHONE_LOST_TEXT,
  MICROPHONE_REPLACED_TEXT,
  VIDEO_DECLINED_TEXT,
} from '../../../shared/calls/media-texts.ts'
import { CALL_ID, CAN, CallHarness, settle } from './testing/call-harness.ts'

let page: CallHarness

beforeEach(async () => {
  page = await new CallHarness().connect()
})

const sentVideo = () => page.connection.sender('video')
const active = () => {
  const { active } = page.calls
  if (!active) throw new Error('no call')
  return active
}
const told = () => page.sent('dmCallMedia').map(({ callId: _callId, ...media }) => media)

describe('camera, microphone and speaker', () => {
  it('[CALLCLIENT-15] are enabled and disabled, and the other side is told', async () => {
    await page.callAndConnect('video')
    await active().toggleCamera()
    await active().toggleMicrophone()
    expect([page.devices.last('video').enabled, page.devices.last('audio').enabled]).toEqual([false, false])
    expect(page.call).toMatchObject({ isCameraOn: false, isMicrophoneOn: false })
    expect(told()).toEqual([
      { isMicrophoneOn: true, isCameraOn: false, isScreenShared: false },
      { isMicrophoneOn: false, isCameraOn: false, isScreenShared: false },
    ])
    await active().toggleMicrophone()
    expect([page.devices.last('audio').enabled, page.devices.opened.length]).toEqual([true, 2])
  })

  it('[CALLCLIENT-15] the speaker enables the received audio', async () => {
    await page.callAndConnect()
    const [audio] = page.connection.getReceivers()
    active().setSpeaker(false)
    expect([audio?.track.enabled, page.call?.isSpeakerOn]).toEqual([false, false])
    active().setSpeaker(true)
    expect([audio?.track.enabled, page.call?.isSpeakerOn]).toEqual([true, true])
    expect(told()).toEqual([])
  })

  it('[CALLCLIENT-15] hear from the other side what it sends, and play its picture while there is one', async () => {
    await page.callAndConnect()
    const kinds = () => page.call?.remoteStream?.getTracks().map(({ kind }) => kind)
    expect(kinds()).toEqual(['audio'])
    await page.emit('dmCallMedia', { callId: CALL_ID, isMicrophoneOn: false, isCameraOn: false, isScreenShared: true })
    expect(page.call?.otherMedia).toEqual({ isMicrophoneOn: false, isCameraOn: false, isScreenShared: true })
    expect(kinds()).toEqual(['audio', 'video'])
    await page.emit('dmCallMedia', { callId: CALL_ID, isMicrophoneOn: true, isCameraOn: false, isScreenShared: false })
    expect(kinds()).toEqual(['audio'])
  })

  it('[CALLCLIENT-16] a call goes on without a camera, says what to do, and opens it later', async () => {
    page.devices.failures.set('video', 'NotReadableError')
    await page.callAndConnect('video')
    expect(page.call).toMatchObject({ phase: 'connected', isCameraOn: false, deviceText: cameraFailureTexts.busy })
    expect(told()).toEqual([{ isMicrophoneOn: true, isCameraOn: false, isScreenShared: false }])
    page.devices.failures.clear()
    await active().toggleCamera()
    expect(page.call).toMatchObject({ isCameraOn: true, deviceText: null })
    expect(sentVideo().track).toBe(page.devices.last('video'))
  })
})

describe('a voice call that becomes a video call', () => {
  const video = (action: 'ask' | 'accept' | 'decline') => page.emit('dmCallVideo', { callId: CALL_ID, action })

  it('[CALLCLIENT-17] begins with the camera of who asked, once the other accepts', async () => {
    await page.callAndConnect()
    page.store.patch({ videoRequest: 'sent' })
    expect(page.devices.opened).toHaveLength(1)
    await video('accept')
    expect(page.call).toMatchObject({ callType: 'video', isCameraOn: true, videoRequest: null })
    expect(sentVideo().track).toBe(page.devices.last('video'))
    expect(page.sent('dmWebRTCOffer')).toHaveLength(1)
  })

  it('[CALLCLIENT-17] does not where the other declines', async () => {
    await page.callAndConnect()
    page.store.patch({ videoRequest: 'sent' })
    await video('decline')
    expect(page.call).toMatchObject({ callType: 'voice', isCameraOn: false, videoRequest: null })
    expect([page.notices, page.devices.opened.length]).toEqual([[VIDEO_DECLINED_TEXT], 1])
  })

  it('[CALLCLIENT-17] shows the request of the other, and needs no answer where both ask', async () => {
    await page.acceptAndConnect()
    await video('ask')
    expect(page.call?.videoRequest).toBe('received')
    page.store.patch({ videoRequest: 'sent' })
    await video('ask')
    expect(page.call).toMatchObject({ callType: 'video', isCameraOn: true, videoRequest: null })
  })

  it('[CALLCLIENT-17] is not begun by an answer without a request', async () => {
    await page.callAndConnect()
    await video('accept')
    expect(page.call).toMatchObject({ callType: 'voice', isCameraOn: false })
  })
})

describe('a shared screen', () => {
  it('[CALLCLIENT-18] takes the place of the camera until it ends, also by the bar of the browser', async () => {
    await page.callAndConnect('video')
    const camera = page.devices.last('video')
    await active().toggleScreen()
    await settle()
    const screen = page.devices.last('video')
    expect(sentVideo().track).toBe(screen)
    expect(page.call).toMatchObject({ isScreenShared: true, isCameraOn: true })
    screen.end()
    await settle()
    expect([sentVideo().track, page.call?.isScreenShared]).toEqual([camera, false])
    expect(told().map(({ isScreenShared }) => isScreenShared)).toEqual([true, false])
    await active().toggleScreen()
    await active().toggleScreen()
    await settle()
    expect([sentVideo().track, page.devices.last('video').readyState]).toEqual([camera, 'ended'])
  })

  it('[CALLCLIENT-18] is shared in a voice call too', async () => {
    await page.callAndConnect()
    await active().toggleScreen()
    await settle()
    expect(sentVideo().track).toBe(page.devices.last('video'))
    expect(page.call).toMatchObject({ callType: 'voice', isScreenShared: true, isCameraOn: false })
  })

  it('[CALLCLIENT-18] that was not chosen changes nothing', async () => {
    await page.callAndConnect()
    page.devices.failures.set('screen', 'NotAllowedError')
    await active().toggleScreen()
    expect([page.call?.isScreenShared, page.notices]).toEqual([false, []])
    page.devices.failures.set('screen', 'NotReadableError')
    await active().toggleScreen()
    expect(page.notices).toHaveLength(1)
  })
})

describe('devices', () => {
  it('[CALLCLIENT-19] a microphone that is unplugged is replaced, or the text says what to do', async () => {
    await page.callAndConnect()
    page.devices.last('audio').end()
    await settle()
    expect(page.call).toMatchObject({ isMicrophoneOn: true, deviceText: MICROPHONE_REPLACED_TEXT })
    expect(page.connection.sender('audio').track).toBe(page.devices.liveTracks()[0])
    page.devices.failures.set('audio', 'NotFoundError')
    page.devices.last('audio').end()
    await settle()
    expect(page.call).toMatchObject({ phase: 'connected', isMicrophoneOn: false, deviceText: MICROPHONE_LOST_TEXT })
    expect(page.connection.sender('audio').track).toBeNull()
  })

  it('[CALLCLIENT-19] a muted microphone stays muted when it is replaced', async () => {
    await page.callAndConnect()
    await active().toggleMicrophone()
    page.devices.last('audio').end()
    await settle()
    expect([page.devices.last('audio').enabled, page.call?.isMicrophoneOn]).toEqual([false, false])
  })

  it('[CALLCLIENT-19] without another camera the picture ends, and the call goes on', async () => {
    await page.callAndConnect('video')
    page.devices.failures.set('video', 'NotFoundError')
    page.devices.last('video').end()
    await settle()
    expect(page.call).toMatchObject({ phase: 'connected', isCameraOn: false, deviceText: CAMERA_LOST_TEXT })
    expect(sentVideo().track).toBeNull()
  })

  it('[CALLCLIENT-19] a chosen one is used at once and in later calls', async () => {
    await page.callAndConnect()
    await active().media.select('audioinput', 'headset')
    expect(page.connection.sender('audio').track?.deviceId).toBe('headset')
    expect(page.devices.liveTracks()).toHaveLength(1)
    page.calls.end()
    await page.calls.start(CAN, 'voice')
    expect(page.devices.last('audio').deviceId).toBe('headset')
  })

  it('[CALLCLIENT-19] the camera changes between front and back, one open at a time', async () => {
    await page.callAndConnect('video')
    await active().media.flipCamera()
    await settle()
    expect([sentVideo().track?.deviceId, page.call?.cameraFacing]).toEqual(['environment', 'environment'])
    expect(page.devices.liveTracks()).toHaveLength(2)
    await active().media.flipCamera()
    expect(page.call?.cameraFacing).toBe('user')
  })

  it('[CALLCLIENT-19] are asked for speech: echo, noise and gain are looked after', async () => {
    await page.calls.start(CAN, 'video')
    const [wanted] = page.devices.requests
    expect(wanted?.audio).toEqual({ echoCancellation: true, noiseSuppression: true, autoGainControl: true })
    expect(wanted?.video).toMatchObject({ frameRate: { max: 30 }, facingMode: 'user' })
  })
})

describe('what is sent', () => {
  it('[CALLCLIENT-20] keeps the motion of faces and the pixels of a screen, within bounds, speech first', async () => {
    await page.callAndConnect('video')
    const { parameters } = sentVideo()
    expect(parameters.degradationPreference).toBe('maintain-framerate')
    expect(parameters.encodings).toEqual([{ maxBitrate: 1_700_000, maxFramerate: 30 }])
    expect(page.devices.last('video').contentHint).toBe('motion')
    expect(page.connection.sender('audio').parameters.encodings[0]).toMatchObject({ priority: 'high' })
    await active().toggleScreen()
    await settle()
    expect(sentVideo().parameters.degradationPreference).toBe('maintain-resolution')
    expect(page.devices.last('video').contentHint).toBe('detail')
  })

  it('[CALLCLIENT-21] names H.264 before VP9 and VP8, with retransmission, in offers and answers', async () => {
    const codecs = ['video/H264', 'video/VP9', 'video/VP8', 'video/rtx']
    await page.callAndConnect('video')
    expect(page.connection.transceivers[1]?.codecs).toEqual(codecs)
    page.calls.end()
    await page.acceptAndConnect('video')
    expect(page.connection.transceivers[1]?.codecs).toEqual(codecs)
  })

  it('[CALLCLIENT-21] asks for speech with error correction and without silence', async () => {
    await page.callAndConnect()
    expect(page.sent('dmWebRTCOffer')[0]?.sdp).toContain('a=fmtp:111 minptime=10;useinbandfec=1;usedtx=1\r\n')
  })
})
