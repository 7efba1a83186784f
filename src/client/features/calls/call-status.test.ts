import { describe, expect, it } from 'vitest'
import { type Call, type CallTransition, transition } from './call-state.ts'
import { isPictureShown, layoutOf, remoteName, statusText } from './call-status.ts'

const other = {
  id: 2,
  username: 'Ayşe',
  avatarUrl: null,
  gender: null,
  isGuest: false,
  role: 'member',
  premiumStatus: 'guest',
} as const
const start = { kind: 'start', callType: 'voice', selfUsername: 'Can', other } as const
const ring = { ...start, kind: 'ring', callId: 'a', isStaff: false } as const

/** The call after these transitions. */
function callAfter(...changes: CallTransition[]): Call {
  const call = changes.reduce<Call | null>(transition, null)
  return call ?? expect.unreachable('there is a call')
}

describe('the state in words', () => {
  it.each([
    ['Sesli arıyor...', [start]],
    ['Görüntülü arıyor...', [{ ...start, callType: 'video' }]],
    ['Sesli arama geliyor...', [ring]],
    ['Görüntülü arama geliyor...', [{ ...ring, callType: 'video' }]],
    ['Bağlanıyor...', [ring, { kind: 'accept' }]],
    ['Arama başladı.', [ring, { kind: 'accept' }, { kind: 'connect', at: 0 }]],
    [
      'Bağlantı koptu, yeniden bağlanıyor...',
      [ring, { kind: 'accept' }, { kind: 'connect', at: 0 }, { kind: 'interrupt' }],
    ],
    ['Aramanız reddedildi.', [start, { kind: 'decline', text: 'Aramanız reddedildi.' }]],
    ['Arama sona erdi.', [start, { kind: 'end', text: null }]],
    ['Arama cevaplanmadı.', [start, { kind: 'end', text: 'Arama cevaplanmadı.' }]],
  ] satisfies [string, CallTransition[]][])('[CALLUI-01] is "%s"', (text, changes) => {
    expect(statusText(callAfter(...changes))).toBe(text)
  })

  it('[CALLUI-01] has USER... in place of an unknown name', () => {
    expect(remoteName({ remoteUsername: null })).toBe('USER...')
    expect(remoteName({ remoteUsername: 'Ayşe' })).toBe('Ayşe')
  })
})

describe('how a call is drawn', () => {
  const stream = {} as MediaStream // only its presence counts
  const connected = [ring, { kind: 'accept' }, { kind: 'connect', at: 0 }] satisfies CallTransition[]
  const video = callAfter({ ...ring, callType: 'video' }, { kind: 'accept' }, { kind: 'connect', at: 0 })

  it('[CALLUI-02] is a card in a box and an avatar on a phone while nothing is seen', () => {
    for (const call of [callAfter(ring), callAfter({ ...ring, callType: 'video' }), callAfter(...connected)]) {
      expect(layoutOf(call, 'box')).toBe('card')
      expect(layoutOf(call, 'screen')).toBe('avatar')
    }
  })

  it('[CALLUI-02] has pictures in a video call, while a screen is shared, and for the caller who sees the own camera', () => {
    const calling = callAfter({ ...start, callType: 'video' })
    const sharing = callAfter(...connected)
    const screen = { isMicrophoneOn: true, isCameraOn: false, isScreenShared: true }
    for (const frame of ['box', 'screen'] as const) {
      expect(layoutOf(video, frame)).toBe('picture')
      expect(layoutOf({ ...sharing, otherMedia: screen }, frame)).toBe('picture')
      expect(layoutOf({ ...sharing, isScreenShared: true }, frame)).toBe('picture')
      expect(layoutOf({ ...calling, localStream: stream }, frame)).toBe('picture')
    }
    expect(layoutOf(calling, 'box')).toBe('card')
  })

  it("[CALLUI-02] shows the other's picture only while it is sent and the call is on", () => {
    const seen = { ...video, remoteStream: stream }
    expect(isPictureShown(seen)).toBe(true)
    expect(isPictureShown({ ...seen, otherMedia: { ...seen.otherMedia, isCameraOn: false } })).toBe(false)
    expect(isPictureShown({ ...seen, remoteStream: null })).toBe(false)
    expect(isPictureShown({ ...seen, phase: 'ended' })).toBe(false)
  })
})
