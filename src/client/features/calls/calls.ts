import { CALL_RESULT_SHOWN_MS, REJOIN_TIMEOUT_MS } from '../../../shared/calls/limits.ts'
import {
  CALL_NOT_MADE_TEXT,
  NO_CONNECTION_TEXT,
  UNSUPPORTED_BROWSER_TEXT,
  VIDEO_DECLINED_TEXT,
} from '../../../shared/calls/media-texts.ts'
import type { CurrentCall } from '../../../shared/calls/protocol.ts'
import { declineTexts, endTexts } from '../../../shared/calls/texts.ts'
import type { EventName, EventPayload } from '../../../shared/protocol/catalogue.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Cancel } from '../../core/platform/environment.ts'
import type { CallPerson } from '../../model/calls/call-person.ts'
import { ActiveCall } from './active-call.ts'
import type { CallPlatform } from './call-platform.ts'
import type { CallType } from './call-state.ts'
import type { CallStore } from './call-store.ts'
import { type StoredCall, takeStoredCall } from './stored-call.ts'

/** A lost connection of a page in a call is tried again after this: its call waits for 10 s. */
const RECONNECT_MS = 500
/** A refused rejoin is tried again after this. */
const REJOIN_RETRY_MS = 1_000
/** After a reconnect a call that still rings is told again within this. */
const RING_AGAIN_MS = 3_000

/** The calls of this tab, one at a time: passes signals to it, and ends it. */
export class Calls {
  active: ActiveCall | null = null
  private readonly platform: CallPlatform
  private readonly store: CallStore
  private cancelReset: Cancel | null = null
  private cancelRing: Cancel | null = null
  private cancelLoss: Cancel | null = null
  /** The call of the page before this one's reload. */
  private stored: StoredCall | null

  constructor(platform: CallPlatform, store: CallStore) {
    this.platform = platform
    this.store = store
    this.stored = takeStoredCall(platform.environment.tabStorage)
    const { live } = platform
    this.onCall('dmVoiceCallResponse', (call, payload) => this.onResponse(call, payload))
    this.onCall('dmCallCrossed', (call, { acceptCallId }) => void this.onCrossed(call, acceptCallId))
    this.onCall('dmWebRTCOffer', (call, payload) => call.receive.offer(payload))
    this.onCall('dmWebRTCAnswer', (call, payload) => call.receive.answer(payload))
    this.onCall('dmWebRTCIceCandidate', (call, { candidate }) => call.receive.candidate(candidate))
    this.onCall('dmRenegotiate', (call, { isNewConnection }) => call.receive.renegotiation(isNewConnection))
    this.onCall('dmCallMedia', (call, media) => call.setOtherMedia(media))
    this.onCall('dmCallVideo', (call, { action }) => void this.onVideoRequest(call, action))
    live.onConnected(() => void this.onConnected())
    live.connection.subscribe(({ status }) => this.onConnectionStatus(status))
  }

  /** A user calls, or still does after a reconnect. */
  ring({ callId, callType, sender, isStaff }: EventPayload<'dmVoiceCallRequest'>): void {
    if (this.active?.callId === callId) this.cancelRing?.()
    if (this.active) return
    this.open({ kind: 'ring', callId, callType, selfUsername: this.platform.selfUsername(), other: sender, isStaff })
    this.active = new ActiveCall(this.platform, this.store, 'callee', callId)
    if (this.platform.canConnect) void this.active.prepare(callId)
  }

  /** The server has ended a call, maybe on another device. */
  onEnded({ callId, reason, text }: EventPayload<'dmEndCall'>): void {
    if (this.active?.callId !== callId) return
    this.finish(text, reason === 'regionLost' || reason === 'connectionLost')
  }

  /** Calls a user: first the microphone, because without one the other's phone shall not ring. */
  async start(other: CallPerson, callType: CallType): Promise<void> {
    if (this.active) return
    const selfUsername = this.platform.selfUsername()
    this.open({ kind: 'start', callType, selfUsername, other })
    const call = new ActiveCall(this.platform, this.store, 'caller', null)
    this.active = call
    const failureText = this.platform.canConnect
      ? await call.media.open(callType === 'video')
      : UNSUPPORTED_BROWSER_TEXT
    if (this.active !== call) return
    if (failureText !== null) return this.endWithout(failureText)
    const answer = await this.platform.live.request('dmVoiceCallRequest', {
      ...{ senderUsername: selfUsername, recipientUsername: other.username, recipientId: other.id, callType },
    })
    if (typeof answer === 'string' || answer instanceof Refusal) {
      if (this.active === call) this.finish(answer instanceof Refusal ? answer.body.message : NO_CONNECTION_TEXT, false)
    } else if (this.active !== call) {
      // The caller gave up before the answer.
      void this.platform.live.request('dmEndCall', { callId: answer.callId })
    } else if (answer.role === 'callee') await this.onCrossed(call, answer.callId)
    else {
      call.connect(answer.callId).start()
      this.store.apply({ kind: 'identify', callId: answer.callId })
    }
  }

  /** Accepts the incoming call; without a microphone it goes on ringing, and a text says why. */
  async accept(): Promise<void> {
    const { active } = this
    const call = this.store.call.peek()
    if (!active || call?.phase !== 'incoming' || active.media.isOpening) return
    this.store.patch({ deviceText: null })
    const opening = this.platform.canConnect ? active.media.open(call.callType === 'video') : UNSUPPORTED_BROWSER_TEXT
    if (active.needsNoQuestion) void this.respond(active)
    const failureText = await opening
    if (this.active !== active) return
    if (failureText === null) {
      if (!active.needsNoQuestion) await this.respond(active)
    } else if (this.store.call.peek()?.phase === 'incoming') this.store.patch({ deviceText: failureText })
    else {
      void active.send('dmEndCall', {})
      this.endWithout(failureText)
    }
  }

  /** Declines the incoming call, on all devices. */
  decline(): void {
    const { active } = this
    if (!active || this.store.call.peek()?.phase !== 'incoming') return
    void active.send('dmVoiceCallResponse', { accepted: false })
    this.finish(null, false)
    this.close()
  }

  /** Ends the call for both. */
  end(): void {
    void this.active?.send('dmEndCall', {})
    this.finish(endTexts.hangUp, false)
  }

  /** Leaves the call without a word, as the session does at its end: the server ends it. */
  abandon(): void {
    this.finish(null, false)
    this.close()
  }

  /** Dismisses an ended call. */
  close(): void {
    this.cancelReset?.()
    this.store.apply({ kind: 'reset' })
  }

  /** Goes on with the call that this tab had before its reload, as soon as there is a connection. */
  async resume(): Promise<void> {
    const { stored } = this
    if (!stored || this.active || !this.platform.live.isConnected()) return
    this.stored = null
    const answer = await this.platform.live.request('rejoinCall', { callId: stored.callId })
    if (answer === 'disconnected') this.stored = stored
    else if (typeof answer !== 'string' && !(answer instanceof Refusal) && !this.active)
      await this.rejoin(stored, answer.call)
  }

  private async rejoin(stored: StoredCall, current: CurrentCall): Promise<void> {
    const { callId, role, other, isStaff, callType } = current
    const kind = current.phase === 'ringing' ? 'start' : 'rejoin'
    this.open({ kind, callId, callType, selfUsername: this.platform.selfUsername(), other, isStaff })
    if (kind === 'start') this.store.apply({ kind: 'identify', callId })
    const call = new ActiveCall(this.platform, this.store, role, callId)
    this.active = call
    const { isSpeakerOn, isCameraOn, isMicrophoneOn, connectedAt } = stored
    this.store.patch({ isSpeakerOn, connectedAt })
    const failureText = await call.media.open(isCameraOn)
    if (this.active !== call) return
    if (failureText !== null) {
      this.end()
      this.store.patch({ deviceText: failureText })
      return
    }
    if (call.media.microphone) call.media.microphone.enabled = isMicrophoneOn
    const negotiator = call.connect(callId)
    call.updateMedia()
    call.update(current)
    if (current.phase === 'active') negotiator.activate()
    negotiator.replaceConnections(current)
  }

  private async respond(active: ActiveCall): Promise<void> {
    const { callId } = active
    const call = this.store.call.peek()
    if (callId === null || !call) return
    const { isMicrophoneOn, isCameraOn, isScreenShared } = call
    const media = { isMicrophoneOn, isCameraOn, isScreenShared }
    const answering = active.send('dmVoiceCallResponse', { accepted: true, ...media })
    active.connect(callId)
    active.noteToldMedia()
    active.activate()
    const answer = await answering
    if (answer instanceof Refusal && this.active === active) this.finish(answer.body.message, false)
  }

  /** The caller hears whether the other accepts. */
  private onResponse(active: ActiveCall, { accepted, reason, ...media }: EventPayload<'dmVoiceCallResponse'>): void {
    if (this.store.call.peek()?.phase !== 'outgoing') return
    if (accepted) {
      active.setOtherMedia(media)
      active.activate()
      return
    }
    active.release()
    this.active = null
    this.store.apply({ kind: 'decline', text: declineTexts[reason ?? 'declined'] })
    this.resetLater()
  }

  private async onCrossed(active: ActiveCall, callId: string): Promise<void> {
    active.cross(callId)
    await this.respond(active)
  }

  private async onVideoRequest(active: ActiveCall, action: 'ask' | 'accept' | 'decline'): Promise<void> {
    const { callType, videoRequest } = this.store.call.peek() ?? {}
    if (callType !== 'voice') return
    // Both have asked: each side hears the other's question, and the server takes the second one as the answer.
    if (action === 'ask' && videoRequest !== 'sent') this.store.patch({ videoRequest: 'received' })
    else if (videoRequest === 'sent') {
      this.store.patch({ videoRequest: null })
      if (action === 'decline') this.platform.notify(VIDEO_DECLINED_TEXT)
      else await active.becomeVideo()
    }
  }

  private onConnectionStatus(status: string): void {
    if (status !== 'reconnecting' || !this.active) return
    const { environment, live } = this.platform
    environment.setTimer(RECONNECT_MS, () => this.active && live.retryNow())
    // By then the server has ended the call, and cannot say so: the microphone must not stay open.
    this.cancelLoss ??= environment.setTimer(REJOIN_TIMEOUT_MS, () => {
      this.finish(endTexts.connectionLost, this.store.call.peek()?.phase !== 'incoming')
    })
  }

  /** The WebSocket is back: the server may have ended the call, and either side may have missed a signal. */
  private async onConnected(): Promise<void> {
    const { active } = this
    if (!active) return this.resume()
    if (active.callId !== null && this.store.call.peek()?.phase !== 'incoming') return this.rejoinActive(active)
    this.stopAwaitingConnection()
    if (active.callId !== null) {
      this.cancelRing?.()
      this.cancelRing = this.platform.environment.setTimer(RING_AGAIN_MS, () => {
        if (this.active === active && this.store.call.peek()?.phase === 'incoming') this.finish(endTexts.hangUp, false)
      })
    }
  }

  /** Tries again while a limit or a cut link refuses it; the timer of the lost connection ends that. */
  private async rejoinActive(active: ActiveCall): Promise<void> {
    const answer = await active.send('rejoinCall', {})
    if (this.active !== active || typeof answer === 'string') return
    if (answer instanceof Refusal && answer.body.code !== 'NoSuchCall') {
      this.platform.environment.setTimer(REJOIN_RETRY_MS, () => {
        if (this.active === active) void this.rejoinActive(active)
      })
      return
    }
    this.stopAwaitingConnection()
    if (answer instanceof Refusal) this.finish(endTexts.connectionLost, true)
    else active.resynchronise(answer.call)
  }

  private open(change: Parameters<CallStore['apply']>[0]): void {
    this.cancelReset?.()
    this.store.apply(change)
  }

  /** There is no microphone: the window stays, and says what to do. */
  private endWithout(failureText: string): void {
    this.finish(CALL_NOT_MADE_TEXT, true)
    this.store.patch({ deviceText: failureText })
  }

  private finish(text: string | null, canCallAgain: boolean): void {
    const { active } = this
    if (!active) return
    this.active = null
    active.release()
    this.cancelRing?.()
    this.stopAwaitingConnection()
    this.store.apply({ kind: 'end', text, canCallAgain })
    if (!canCallAgain) this.resetLater()
  }

  private stopAwaitingConnection(): void {
    this.cancelLoss?.()
    this.cancelLoss = null
  }

  private resetLater(): void {
    this.cancelReset?.()
    this.cancelReset = this.platform.environment.setTimer(CALL_RESULT_SHOWN_MS, () => this.close())
  }

  /** Handles an event of the present call; those of others are late. */
  private onCall<N extends EventName>(name: N, handle: (call: ActiveCall, payload: EventPayload<N>) => void): void {
    this.platform.live.on(name, (payload) => {
      const { active } = this
      if (active && 'callId' in payload && payload.callId === active.callId) handle(active, payload)
    })
  }
}
