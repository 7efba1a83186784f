import type { CallRole, CurrentCall } from '../../../../shared/calls/protocol.ts'
import type { CommandInput, CommandName, EventPayload } from '../../../../shared/protocol/catalogue.ts'
import type { Cancel } from '../../../core/platform/environment.ts'
import type { CallPlatform } from '../call-platform.ts'
import { CallPeer, type PeerState, type SentTracks } from './call-peer.ts'
import { fingerprintOf } from './description.ts'

/** Checks may fail for a moment without a reason to begin again; with it a new path is found within 2 s of a change. */
const INTERRUPTION_MS = 1_000
/** Without a connection by then, the last offer or its answer may be lost. */
const RETRY_MS = 5_000
/** A browser may hold on to the path that is gone for 5 s after an ICE restart; a new connection has none. */
const NEW_CONNECTION_MS = 1_500

interface NegotiatorListener {
  /** A connection was made, in place of the earlier one. */
  onPeer(peer: CallPeer): void
  onConnected(): void
  onInterrupted(): void
}

/**
 * The offers and answers of one call. Only the caller makes offers, numbered from 1; the callee asks for one by
 * `dmRenegotiate`. An offer of the same connection is an ICE restart (RFC 8839, section 4.4.1.1.1); a side that has lost
 * its page gets a new connection, and then the other side needs one too, because its DTLS association is gone.
 */
export class Negotiator {
  peer: CallPeer
  private readonly platform: CallPlatform
  private readonly callId: string
  private readonly role: CallRole
  private readonly listener: NegotiatorListener
  private tracks: SentTracks
  /** Of the last offer made, or received. */
  private negotiation = 0
  /** The callee's answer to it; the caller notes the one that it has applied. */
  private answer: string | null = null
  /** The certificate of the other side's connection. */
  private remoteFingerprint: string | null = null
  /** The caller's connection replaces an earlier one that the callee may still have. */
  private isNewConnection = false
  /** The call is accepted. */
  private isActive = false
  /** No packets come, although the browser may say that it is connected. */
  private isStalled = false
  private cancelInterruption: Cancel | null = null
  private cancelRetry: Cancel | null = null
  private cancelReplacement: Cancel | null = null

  constructor(
    platform: CallPlatform,
    { callId, role, tracks }: { callId: string; role: CallRole; tracks: SentTracks },
    listener: NegotiatorListener,
  ) {
    this.platform = platform
    this.callId = callId
    this.role = role
    this.tracks = tracks
    this.listener = listener
    this.peer = this.createPeer()
  }

  /** The caller's first offer, sent while it rings. */
  start(): void {
    if (this.role === 'caller') void this.sendOffer(false)
  }

  /** The call is accepted: from now on a missing connection is looked after. */
  activate(): void {
    this.isActive = true
    this.scheduleRetry()
  }

  setTracks(tracks: SentTracks): void {
    this.tracks = tracks
    void this.peer.setTracks(tracks)
  }

  /** The network may have changed, or the connection is lost. */
  restart(): void {
    if (this.role === 'caller') void this.sendOffer(true)
    else if (this.isActive) this.send('dmRenegotiate', { isNewConnection: this.remoteFingerprint === null })
    if (this.isActive) this.scheduleRetry()
  }

  /** After the WebSocket was lost: the server sends again what this side has missed, this side what the server has. */
  resynchronise(call: CurrentCall): void {
    const isOfferMissing = call.negotiation < this.negotiation
    const state = this.peer.state()
    if (this.role === 'caller' && isOfferMissing) void this.sendOffer(true)
    else if (state === 'interrupted' || state === 'failed') this.restart()
    else if (this.isActive && state === 'new') this.scheduleRetry()
  }

  /** After a reload: both sides need a new connection. */
  replaceConnections(call: CurrentCall): void {
    if (this.role === 'caller') {
      this.negotiation = call.negotiation
      this.isNewConnection = true
      void this.sendOffer(false)
    } else if (call.phase === 'active') this.send('dmRenegotiate', { isNewConnection: true })
  }

  async receiveOffer({ negotiation, sdp }: EventPayload<'dmWebRTCOffer'>): Promise<void> {
    if (this.role !== 'callee' || negotiation < this.negotiation) return
    if (negotiation === this.negotiation) {
      // It comes again because its answer may be lost.
      if (this.answer !== null) this.send('dmWebRTCAnswer', { negotiation, sdp: this.answer })
      return
    }
    this.negotiation = negotiation
    this.answer = null
    this.acceptCertificate(sdp)
    const { peer } = this
    const answer = await this.report(peer.createAnswer(sdp))
    if (answer === null || peer !== this.peer || negotiation !== this.negotiation) return
    this.answer = answer
    this.send('dmWebRTCAnswer', { negotiation, sdp: answer })
  }

  async receiveAnswer({ negotiation, sdp }: EventPayload<'dmWebRTCAnswer'>): Promise<void> {
    if (this.role !== 'caller' || negotiation !== this.negotiation || this.answer !== null) return
    this.answer = sdp
    if (this.acceptCertificate(sdp)) {
      // The callee's page is a new one, and the answer belongs to an offer of the connection with the earlier one.
      void this.sendOffer(false)
      return
    }
    const { isNewConnection, peer } = this
    this.isNewConnection = false
    await this.report(peer.applyAnswer(sdp))
    if (this.isStalled && !isNewConnection) this.scheduleReplacement(peer)
  }

  receiveCandidate(candidate: RTCIceCandidateInit | null): void {
    void this.report(this.peer.addCandidate(candidate))
  }

  /** The callee needs an offer. */
  receiveRenegotiation(isNewConnection: boolean): void {
    if (this.role !== 'caller') return
    if (isNewConnection && this.remoteFingerprint !== null) this.replacePeer()
    void this.sendOffer(true)
  }

  /** No more packets come. Both sides notice it: the caller makes an offer at once. */
  onStall(): void {
    if (!this.isActive || this.peer.state() !== 'connected') return
    this.isStalled = true
    this.listener.onInterrupted()
    if (this.role === 'caller') this.restart()
    else this.scheduleRetry()
  }

  /** Packets come again. */
  onFlow(): void {
    if (!this.isStalled) return
    this.isStalled = false
    this.cancelReplacement?.()
    if (this.peer.state() === 'connected') this.onStateChange('connected')
  }

  close(): void {
    this.cancelInterruption?.()
    this.cancelRetry?.()
    this.cancelReplacement?.()
    this.isActive = false
    this.peer.close()
  }

  private createPeer(): CallPeer {
    const peer: CallPeer = new CallPeer(this.platform, {
      onCandidate: (candidate) => peer === this.peer && this.sendCandidate(candidate),
      onStateChange: (state) => peer === this.peer && this.onStateChange(state),
    })
    void peer.setTracks(this.tracks)
    return peer
  }

  private replacePeer(): void {
    this.peer.close()
    this.peer = this.createPeer()
    this.remoteFingerprint = null
    this.isNewConnection = true
    this.listener.onPeer(this.peer)
  }

  /** Notes the other side's certificate. Another one than before needs a new connection: returns whether one was made. */
  private acceptCertificate(sdp: string): boolean {
    const fingerprint = fingerprintOf(sdp)
    const isOther = this.remoteFingerprint !== null && fingerprint !== this.remoteFingerprint
    if (isOther) this.replacePeer()
    // A caller's new connection has no description of the other side yet.
    if (!isOther || this.role === 'callee') this.remoteFingerprint = fingerprint
    return isOther
  }

  private async sendOffer(iceRestart: boolean): Promise<void> {
    const { peer } = this
    // At once: an answer to the earlier offer, which may arrive meanwhile, does not fit this one.
    this.negotiation += 1
    this.answer = null
    const { negotiation } = this
    const sdp = await this.report(peer.createOffer(iceRestart))
    if (sdp === null || peer !== this.peer) return
    this.send('dmWebRTCOffer', { negotiation, sdp, isNewConnection: this.isNewConnection })
  }

  private onStateChange(state: PeerState): void {
    if (state !== 'interrupted') this.stopWaiting()
    if (state === 'connected') {
      this.cancelRetry?.()
      this.listener.onConnected()
    } else if (state === 'failed') this.interrupt()
    else if (state === 'interrupted')
      this.cancelInterruption ??= this.platform.environment.setTimer(INTERRUPTION_MS, () => this.interrupt())
  }

  private stopWaiting(): void {
    this.cancelInterruption?.()
    this.cancelInterruption = null
  }

  private interrupt(): void {
    this.cancelInterruption = null
    this.listener.onInterrupted()
    this.restart()
  }

  private scheduleRetry(): void {
    this.cancelRetry?.()
    this.cancelRetry = this.platform.environment.setTimer(RETRY_MS, () => {
      if (this.isActive && (this.isStalled || this.peer.state() !== 'connected')) this.restart()
    })
  }

  /** The answer to an ICE restart has come, so signals pass: if packets still do not, a new connection is next. */
  private scheduleReplacement(peer: CallPeer): void {
    this.cancelReplacement?.()
    this.cancelReplacement = this.platform.environment.setTimer(NEW_CONNECTION_MS, () => {
      if (!this.isActive || peer !== this.peer || peer.state() !== 'connected') return
      this.replacePeer()
      void this.sendOffer(false)
    })
  }

  private sendCandidate(candidate: RTCIceCandidateInit | null): void {
    const { candidate: text = '', sdpMid = null, sdpMLineIndex = null } = candidate ?? {}
    this.send('dmWebRTCIceCandidate', { candidate: candidate && { candidate: text, sdpMid, sdpMLineIndex } })
  }

  /** A signal that is lost with its connection is made up for after the next one (`resynchronise`). */
  private send<N extends CallSignal>(name: N, fields: Omit<CommandInput<N>, 'callId'>): void {
    void this.platform.live.request(name, { callId: this.callId, ...fields } as CommandInput<N>) // the two halves of it
  }

  /** Null after an error, which is a bug of ours or of the browser: the retry begins again. */
  private async report<T>(step: Promise<T>): Promise<T | null> {
    return step.catch((error: unknown) => {
      this.platform.environment.reportError('a description could not be applied', error)
      return null
    })
  }
}

type CallSignal = CommandName & ('dmWebRTCOffer' | 'dmWebRTCAnswer' | 'dmWebRTCIceCandidate' | 'dmRenegotiate')
