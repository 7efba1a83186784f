import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import { type Call, type CallPhase, type CallTransition, isOpen, transition } from './call-state.ts'
import { CallStore } from './call-store.ts'

const CALL_ID = '00000000-0000-4000-8000-000000000001'
const can = createPerson(2, 'Can')
const start = { kind: 'start', callType: 'voice', selfUsername: 'Ada', other: can } as const
const ring = { ...start, kind: 'ring', callId: CALL_ID, isStaff: false } as const
const rejoin = { ...ring, kind: 'rejoin' } as const

/** Which phases a transition may lead to from each phase; 'idle' is null. */
const allowed: Record<CallPhase | 'idle', (CallPhase | 'idle')[]> = {
  idle: ['outgoing', 'incoming', 'reconnecting'],
  outgoing: ['connecting', 'declined', 'ended'],
  incoming: ['connecting', 'ended'],
  connecting: ['connected', 'ended'],
  connected: ['reconnecting', 'ended'],
  reconnecting: ['connected', 'ended'],
  declined: ['idle', 'outgoing', 'incoming', 'reconnecting'],
  ended: ['idle', 'outgoing', 'incoming', 'reconnecting'],
}

const anyTransition: fc.Arbitrary<CallTransition> = fc.oneof(
  fc
    .constantFrom('voice' as const, 'video' as const)
    .chain((callType) => fc.constantFrom({ ...start, callType }, { ...ring, callType }, { ...rejoin, callType })),
  fc.constantFrom<CallTransition>({ kind: 'accept' }, { kind: 'interrupt' }, { kind: 'reset' }),
  fc.constant<CallTransition>({ kind: 'identify', callId: CALL_ID }),
  fc.nat().map<CallTransition>((at) => ({ kind: 'connect', at })),
  fc.constant<CallTransition>({ kind: 'decline', text: 'Aramanız reddedildi.' }),
  fc.boolean().map<CallTransition>((canCallAgain) => ({ kind: 'end', text: null, canCallAgain })),
)

const phaseOf = (call: Call | null) => call?.phase ?? 'idle'
const run = (...changes: CallTransition[]) => changes.reduce<Call | null>(transition, null)

describe('the state of a call', () => {
  it('[CALLCLIENT-01] moves only between neighbouring phases, and each has its fields of the specification', () => {
    fc.assert(
      fc.property(fc.array(anyTransition, { maxLength: 40 }), (changes) => {
        let call: Call | null = null
        for (const change of changes) {
          const next: Call | null = transition(call, change)
          if (phaseOf(next) !== phaseOf(call)) expect(allowed[phaseOf(call)]).toContain(phaseOf(next))
          const { isCalling, incomingCall, callAccepted, callDeclined } = next ?? {}
          const flags = [isCalling, incomingCall, callAccepted, callDeclined].filter(Boolean).length
          expect(flags).toBe(isOpen(next) || next?.phase === 'declined' ? 1 : 0)
          if (!isOpen(next)) expect([next?.localStream ?? null, next?.remoteStream ?? null]).toEqual([null, null])
          call = next
        }
      }),
    )
  })

  it('[CALLCLIENT-01] begins with the camera on for video and off for voice, with microphone and speaker on', () => {
    const devicesOf = (call: Call | null) => [call?.isCameraOn, call?.isMicrophoneOn, call?.isSpeakerOn]
    expect(devicesOf(run({ ...start, callType: 'video' }))).toEqual([true, true, true])
    expect(devicesOf(run(start))).toEqual([false, true, true])
    expect(devicesOf(run({ ...ring, callType: 'video' }))).toEqual([true, true, true])
    expect(devicesOf(run(ring))).toEqual([false, true, true])
  })

  it('lets a second call neither replace an open one nor wait for it', () => {
    const connected = run(start, { kind: 'accept' }, { kind: 'connect', at: 5 })
    expect(transition(connected, ring)).toBe(connected)
    expect(transition(connected, start)).toBe(connected)
    expect(transition(run(start, { kind: 'decline', text: 'Aramanız reddedildi.' }), ring)?.phase).toBe('incoming')
  })

  it('keeps the time of the first connection over an interruption', () => {
    const again = run(
      start,
      { kind: 'accept' },
      { kind: 'connect', at: 5 },
      { kind: 'interrupt' },
      { kind: 'connect', at: 9 },
    )
    expect([again?.phase, again?.connectedAt]).toEqual(['connected', 5])
  })

  it('has no name for a user whose name is unknown', () => {
    expect(run({ ...start, other: { ...can, username: '' } })?.remoteUsername).toBeNull()
  })

  it('is null without a call, and patches nothing then', () => {
    const store = new CallStore()
    store.patch({ isCameraOn: true })
    expect(store.call.value).toBeNull()
    expect(store.apply(start)).toBe(true)
    expect(store.apply({ kind: 'interrupt' })).toBe(false)
    store.patch({ isCameraOn: true })
    expect(store.call.value).toMatchObject({ phase: 'outgoing', isCameraOn: true })
  })
})
