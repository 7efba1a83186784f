import { SCREEN_FAILED_TEXT } from '../../../shared/calls/media-texts.ts'
import type { CallRole, CurrentCall } from '../../../shared/calls/protocol.ts'
import { initialMedia } from '../../../shared/calls/rules.ts'
import type { CommandInput, EventPayload } from '../../../shared/protocol/catalogue.ts'
import type { Cancel } from '../../core/platform/environment.ts'
import type { CallPlatform } from './call-platform.ts'
import type { Call, CallMedia } from './call-state.ts'
import type { CallStore } from './call-store.ts'
import type { CallPeer, SentTracks } from './connection/call-peer.ts'
import { LocalMedia } from './connection/local-media.ts'
import { Negotiator } from './connection/negotiator.ts'
import { QualityMeter } from './connection/quality-meter.ts'
import { securityCodeOf } from './connection/security-code.ts'
import { StallDetector } from './connection/stall-detector.ts'
import { storeCall } from './stored-call.ts'

/** The tab's side of one call, from its request or its ring to its end: what it holds is released by `release`. */
export class ActiveCall {
  role: CallRole
  readonly media: LocalMedia
  callId: string | null
  /** The browser gives the devices without a question: the acceptance need not wait for them. */
  needsNoQuestion = false
  private readonly platform: CallPlatform
  private readonly store: CallStore
  private negotiator: Negotiator | null = null
  private meter: QualityMeter | null = null
  private stallDetector: StallDetector | null = null
  /** As the other side knows it. */
  private toldMedia: CallMedia
  private readonly releases: Cancel[] = []
  private isReleased = false

  /** @param callId null until the caller's request is answered */
  constructor(platform: CallPlatform, store: CallStore, role: CallRole, callId: string | null) {
    this.platform = platform
    this.store = store
    this.role = role
    this.callId = callId
    this.toldMedia = initialMedia(this.call().callType)
    this.media = new LocalMedia(platform, {
      onChange: () => this.updateMedia(),
      onNotice: (deviceText) => this.isReleased || store.patch({ deviceText }),
    })
    this.releases.push(platform.onNetworkChange(() => this.negotiator?.restart()))
    this.releases.push(store.call.subscribe(() => this.storeForReload()))
  }

  /** While it rings: makes the connection with its certificate, and finds out whether the browser will ask the user. */
  async prepare(callId: string): Promise<void> {
    this.connect(callId)
    this.needsNoQuestion = await this.platform.mayOpenDevices(this.call().callType === 'video')
  }

  /** The connection of a call whose id is known; the caller's offer is sent while it rings. */
  connect(callId: string): Negotiator {
    this.callId = callId
    if (this.negotiator) return this.negotiator
    const negotiator = new Negotiator(
      this.platform,
      { callId, role: this.role, tracks: this.sentTracks() },
      {
        onPeer: (peer) => this.showPeer(peer),
        onConnected: () => void this.onConnected(),
        onInterrupted: () => this.onInterrupted(),
      },
    )
    this.negotiator = negotiator
    this.showPeer(negotiator.peer)
    return negotiator
  }

  /** Both called each other, and the other's call goes on: this side is its callee, with the tracks that it has. */
  cross(callId: string): void {
    this.negotiator?.close()
    this.negotiator = null
    this.role = 'callee'
    this.callId = callId
  }

  /** After a lost WebSocket. */
  resynchronise(current: CurrentCall): void {
    this.update(current)
    this.negotiator?.resynchronise(current)
  }

  /** Both have accepted. */
  activate(): void {
    this.store.apply({ kind: 'accept' })
    this.negotiator?.activate()
    this.tellMedia()
  }

  /** Passes a description to the connection, one after the other. */
  receive = {
    offer: (payload: EventPayload<'dmWebRTCOffer'>): void => void this.negotiator?.receiveOffer(payload),
    answer: (payload: EventPayload<'dmWebRTCAnswer'>): void => void this.negotiator?.receiveAnswer(payload),
    candidate: (candidate: RTCIceCandidateInit | null): void => this.negotiator?.receiveCandidate(candidate),
    renegotiation: (isNewConnection: boolean): void => this.negotiator?.receiveRenegotiation(isNewConnection),
  }

  /** What the other participant sends has changed. */
  setOtherMedia(otherMedia: SomeMedia): void {
    this.store.patch({ otherMedia: { ...this.call().otherMedia, ...definedOf(otherMedia) } })
    this.negotiator?.peer.setVideoReceived(hasPicture(this.call().otherMedia))
  }

  /** After a lost WebSocket or a reload: the call as the server has it. */
  update({ callType, otherMedia, phase }: CurrentCall): void {
    this.setOtherMedia(otherMedia)
    // The answer to a request for video may have been lost.
    if (callType !== this.call().callType) this.store.patch({ callType, videoRequest: null })
    if (phase === 'active' && this.role === 'caller' && this.call().phase === 'outgoing') this.activate()
  }

  /** Tells the other side what this one sends, after a change or once it can hear it. */
  tellMedia(): void {
    const { isMicrophoneOn, isCameraOn, isScreenShared, callAccepted } = this.call()
    const told = { isMicrophoneOn, isCameraOn, isScreenShared }
    if (!callAccepted || JSON.stringify(told) === JSON.stringify(this.toldMedia)) return
    this.noteToldMedia()
    void this.send('dmCallMedia', told)
  }

  /** What a response or a rejoining has told already. */
  noteToldMedia(): void {
    const { isMicrophoneOn, isCameraOn, isScreenShared } = this.call()
    this.toldMedia = { isMicrophoneOn, isCameraOn, isScreenShared }
  }

  setSpeaker(isOn: boolean): void {
    this.store.patch({ isSpeakerOn: isOn })
    this.negotiator?.peer.setAudioReceived(isOn)
  }

  /** Disables or enables the camera's track; opens the camera if there is none. */
  async toggleCamera(): Promise<void> {
    const { camera } = this.media
    if (!camera) return void (await this.media.openCamera())
    camera.enabled = !camera.enabled
    this.updateMedia()
  }

  /** Disables or enables the microphone's track; opens a microphone if the last one is gone. */
  async toggleMicrophone(): Promise<void> {
    const { microphone } = this.media
    if (!microphone) return void (await this.media.openMicrophone())
    microphone.enabled = !microphone.enabled
    this.updateMedia()
  }

  /** Shares a screen in place of the camera, or goes back to it. */
  async toggleScreen(): Promise<void> {
    if (this.media.screen) this.media.closeScreen()
    else if (!(await this.media.openScreen()) && !this.isReleased) this.platform.notify(SCREEN_FAILED_TEXT)
  }

  /** A voice call goes on as a video call, with the camera on. */
  async becomeVideo(): Promise<void> {
    this.store.patch({ callType: 'video', videoRequest: null })
    if (!this.media.camera) await this.media.openCamera()
  }

  /** Sends the present tracks, with what is on. */
  updateMedia(): void {
    if (this.isReleased) return
    const { microphone, camera, screen, facing } = this.media
    const tracks = [microphone, screen ?? camera].filter((track) => track !== null)
    this.negotiator?.setTracks(this.sentTracks())
    this.store.patch({
      isMicrophoneOn: microphone?.enabled ?? false,
      isCameraOn: camera?.enabled ?? false,
      isScreenShared: screen !== null,
      cameraFacing: facing,
      localStream: this.platform.createStream(tracks),
    })
    this.tellMedia()
  }

  /** Stops the media and closes the connection (specification 1, point 4); nothing of the call goes on. */
  release(): void {
    if (this.isReleased) return
    this.isReleased = true
    for (const release of this.releases) release()
    this.meter?.stop()
    this.stallDetector?.stop()
    this.negotiator?.close()
    this.media.stop()
    storeCall(this.platform.environment.tabStorage, null)
  }

  /** The signal's outcome; 'disconnected' before the call has an id. */
  send<N extends CallCommand>(name: N, fields: Omit<CommandInput<N>, 'callId'>) {
    const { callId } = this
    if (callId === null) return Promise.resolve('disconnected' as const)
    return this.platform.live.request(name, { callId, ...fields } as CommandInput<N>) // the two halves of it
  }

  private call(): Call {
    const call = this.store.call.peek()
    if (!call) throw new Error('An active call has no state')
    return call
  }

  private sentTracks(): SentTracks {
    const { microphone, camera, screen } = this.media
    return { microphone, video: screen ?? camera, videoKind: screen ? 'screen' : 'camera' }
  }

  private showPeer(peer: CallPeer): void {
    peer.setVideoReceived(hasPicture(this.call().otherMedia))
    this.store.patch({ remoteStream: peer.remoteStream, securityCode: null })
  }

  private async onConnected(): Promise<void> {
    const { peer } = this.negotiator ?? {}
    if (!peer || this.isReleased) return
    peer.setAudioReceived(this.call().isSpeakerOn)
    this.store.apply({ kind: 'connect', at: this.platform.environment.now() })
    this.meter ??= new QualityMeter(
      this.platform.environment,
      async () => (await this.negotiator?.peer.getStats()) ?? new Map(),
      (quality) => this.store.patch({ quality }),
    )
    this.stallDetector ??= new StallDetector(this.platform.environment, () => this.readPackets(), {
      onStall: () => this.negotiator?.onStall(),
      onFlow: () => this.negotiator?.onFlow(),
    })
    const fingerprints = peer.fingerprints()
    const securityCode = fingerprints && (await securityCodeOf(fingerprints))
    if (!this.isReleased && peer === this.negotiator?.peer) this.store.patch({ securityCode })
  }

  /** Null while the other sends nothing: a muted microphone may be a device that is gone. */
  private async readPackets(): Promise<number | null> {
    const { otherMedia } = this.call()
    const isExpected = otherMedia.isMicrophoneOn || hasPicture(otherMedia)
    return isExpected && this.negotiator ? this.negotiator.peer.countReceivedPackets() : null
  }

  private onInterrupted(): void {
    this.store.apply({ kind: 'interrupt' })
    this.store.patch({ quality: null })
  }

  private storeForReload(): void {
    const call = this.store.call.peek()
    if (this.isReleased || this.callId === null || !call?.other || call.phase === 'incoming') return
    const { callType, other, isStaff, isMicrophoneOn, isCameraOn, isSpeakerOn, connectedAt } = call
    storeCall(this.platform.environment.tabStorage, {
      ...{ callId: this.callId, role: this.role, callType, other, isStaff, connectedAt },
      // A shared screen has to be chosen again.
      ...{ isMicrophoneOn, isCameraOn, isScreenShared: false, isSpeakerOn },
    })
  }
}

type CallCommand = 'dmVoiceCallResponse' | 'dmEndCall' | 'dmCallMedia' | 'dmCallVideo' | 'rejoinCall'

function hasPicture({ isCameraOn, isScreenShared }: CallMedia): boolean {
  return isCameraOn || isScreenShared
}

/** A signal may leave fields out. */
type SomeMedia = { [Field in keyof CallMedia]?: boolean | undefined }

/** Only the fields that a signal has. */
function definedOf({ isMicrophoneOn, isCameraOn, isScreenShared }: SomeMedia): Partial<CallMedia> {
  return {
    ...(isMicrophoneOn !== undefined && { isMicrophoneOn }),
    ...(isCameraOn !== undefined && { isCameraOn }),
    ...(isScreenShared !== undefined && { isScreenShared }),
  }
}
