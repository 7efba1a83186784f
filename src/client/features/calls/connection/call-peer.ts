import type { CallPlatform } from '../call-platform.ts'
import { fingerprintOf, withoutUnusedFeedback, withSpeechParameters } from './description.ts'

/** Phones and most computers encode H.264 in hardware; VP9 costs more of the processor, VP8 is what every browser can. */
const CODECS = ['video/h264', 'video/vp9', 'video/vp8']

/** Both browsers speak to the relay alone, which is a host candidate: they need no STUN or TURN server. */
const CONFIGURATION: RTCConfiguration = { iceServers: [], bundlePolicy: 'max-bundle' }

type VideoKind = 'camera' | 'screen'

/** Faces need motion, text needs its pixels. The camera's rate is that of a sharp 720p. */
const videoSettings = {
  camera: {
    contentHint: 'motion',
    degradationPreference: 'maintain-framerate',
    maxBitrate: 1_700_000,
    maxFramerate: 30,
  },
  screen: {
    contentHint: 'detail',
    degradationPreference: 'maintain-resolution',
    maxBitrate: 2_500_000,
    maxFramerate: 15,
  },
} as const satisfies Record<VideoKind, object>

export type PeerState = 'new' | 'connected' | 'interrupted' | 'failed'

interface PeerListener {
  /** Null after the last one. */
  onCandidate(candidate: RTCIceCandidateInit | null): void
  onStateChange(state: PeerState): void
}

/** What a participant sends at present; null sends nothing. */
export interface SentTracks {
  microphone: MediaStreamTrack | null
  video: MediaStreamTrack | null
  videoKind: VideoKind
}

/**
 * One RTCPeerConnection of a call: audio and video in both directions from the first offer on, so that tracks come and go
 * without another one. Descriptions and candidates are handled one at a time, in their order.
 */
export class CallPeer {
  /** The audio always, the video while the other user sends one. */
  readonly remoteStream: MediaStream
  private readonly platform: CallPlatform
  private readonly connection: RTCPeerConnection
  private readonly listener: PeerListener
  private readonly ownStream: MediaStream
  private readonly listening = new AbortController()
  private queue: Promise<unknown> = Promise.resolve()
  private sent: SentTracks = { microphone: null, video: null, videoKind: 'camera' }
  /** Those that came before the remote description. */
  private earlyCandidates: (RTCIceCandidateInit | null)[] = []
  private isVideoReceived = false
  private isClosed = false
  private reportedState: PeerState = 'new'

  constructor(platform: CallPlatform, listener: PeerListener) {
    this.platform = platform
    this.listener = listener
    this.remoteStream = platform.createStream()
    this.ownStream = platform.createStream()
    this.connection = platform.createConnection(CONFIGURATION)
    const { signal } = this.listening
    const onState = (): void => this.reportState()
    this.connection.addEventListener('connectionstatechange', onState, { signal })
    this.connection.addEventListener('iceconnectionstatechange', onState, { signal })
    this.connection.addEventListener(
      'icecandidate',
      ({ candidate }) => this.listener.onCandidate(candidate?.toJSON() ?? null),
      { signal },
    )
  }

  /** Makes and applies an offer, audio before video; returns what is sent to the other side. */
  createOffer(iceRestart: boolean): Promise<string> {
    return this.enqueue(async () => {
      const { connection, ownStream } = this
      if (connection.getTransceivers().length === 0)
        for (const kind of ['audio', 'video'])
          connection.addTransceiver(kind, { direction: 'sendrecv', streams: [ownStream] })
      this.preferCodecs()
      await this.replaceTracks()
      await connection.setLocalDescription(await connection.createOffer({ iceRestart }))
      await this.applySettings()
      this.updateRemoteStream()
      return this.ownDescription()
    })
  }

  /** Applies an offer and answers it. The answer is there at once; tracks and settings follow, without another one. */
  createAnswer(offer: string): Promise<string> {
    const answering = this.enqueue(async () => {
      const { connection } = this
      await connection.setRemoteDescription({ type: 'offer', sdp: offer })
      for (const transceiver of connection.getTransceivers()) {
        transceiver.direction = 'sendrecv'
        // Firefox has it since version 113. Without it the other side shows the picture a little before the sound.
        transceiver.sender.setStreams?.(this.ownStream)
      }
      this.preferCodecs()
      await connection.setLocalDescription()
      return this.ownDescription()
    })
    void this.finishNegotiation()
    return answering
  }

  applyAnswer(sdp: string): Promise<void> {
    const applying = this.enqueue(() => this.connection.setRemoteDescription({ type: 'answer', sdp }))
    void this.finishNegotiation()
    return applying
  }

  /** Applies a candidate of the other side, after its description (specification 1, point 4). */
  addCandidate(candidate: RTCIceCandidateInit | null): Promise<void> {
    return this.enqueue(async () => {
      this.earlyCandidates.push(candidate)
      if (this.connection.remoteDescription) await this.addEarlyCandidates()
    })
  }

  /** Sends these tracks from now on, without another offer. */
  setTracks(sent: SentTracks): Promise<void> {
    this.sent = sent
    return this.enqueue(async () => {
      await this.replaceTracks()
      await this.applySettings()
    })
  }

  /** Whether the other user sends a picture: without one its track is left out of the stream that is played. */
  setVideoReceived(isReceived: boolean): void {
    this.isVideoReceived = isReceived
    this.updateRemoteStream()
  }

  setAudioReceived(isReceived: boolean): void {
    const track = this.receiver('audio')?.track
    if (track) track.enabled = isReceived
  }

  /** That of the other side's certificate; null before its description. */
  remoteFingerprint(): string | null {
    return fingerprintOf(this.connection.remoteDescription?.sdp ?? '')
  }

  /** Ours and the other side's; null before both are known. */
  fingerprints(): readonly [string, string] | null {
    const own = fingerprintOf(this.connection.localDescription?.sdp ?? '')
    const other = this.remoteFingerprint()
    return own && other ? [own, other] : null
  }

  state(): PeerState {
    const { connectionState, iceConnectionState } = this.connection
    if (connectionState === 'failed' || iceConnectionState === 'failed') return 'failed'
    if (iceConnectionState === 'disconnected') return 'interrupted'
    return connectionState === 'connected' ? 'connected' : 'new'
  }

  getStats(): Promise<RTCStatsReport> {
    return this.connection.getStats()
  }

  /** Packets of sound and pictures since the connection was made. */
  async countReceivedPackets(): Promise<number> {
    let packets = 0
    const report = await this.getStats()
    report.forEach(({ type, packetsReceived = 0 }: { type: string; packetsReceived?: number }) => {
      if (type === 'inbound-rtp') packets += packetsReceived
    })
    return packets
  }

  close(): void {
    this.isClosed = true
    this.listening.abort()
    this.connection.close()
  }

  /** What follows a description, once that is on its way. Nothing waits for it, so it reports its own failures. */
  private async finishNegotiation(): Promise<void> {
    const finishing = this.enqueue(async () => {
      if (!this.connection.remoteDescription) return
      this.updateRemoteStream()
      await Promise.all([this.replaceTracks(), this.addEarlyCandidates()])
      await this.applySettings()
    })
    await finishing.catch((error) => this.platform.environment.reportError('a description was applied in part', error))
  }

  /** Both of the browser's events come for one change. */
  private reportState(): void {
    const state = this.state()
    if (state === this.reportedState) return
    this.reportedState = state
    this.listener.onStateChange(state)
  }

  /** Runs one step after the other. A step of a closed connection never resolves, so that nothing follows it. */
  private enqueue<T>(step: () => Promise<T>): Promise<T> {
    const result = this.queue.then(async () => {
      if (this.isClosed) return new Promise<never>(() => {})
      try {
        return await step()
      } catch (error) {
        if (this.isClosed) return new Promise<never>(() => {})
        throw error
      }
    })
    this.queue = result.catch(() => {})
    return result
  }

  /** As the other side gets it. */
  private ownDescription(): string {
    return withSpeechParameters(withoutUnusedFeedback(this.connection.localDescription?.sdp ?? ''))
  }

  private receiver(kind: string): RTCRtpReceiver | undefined {
    return this.connection.getReceivers().find(({ track }) => track.kind === kind)
  }

  private transceiver(kind: string): RTCRtpTransceiver | undefined {
    return this.connection.getTransceivers().find(({ receiver }) => receiver.track.kind === kind)
  }

  private async replaceTracks(): Promise<void> {
    const { microphone, video, videoKind } = this.sent
    if (video && 'contentHint' in video) video.contentHint = videoSettings[videoKind].contentHint
    await Promise.all([
      this.transceiver('audio')?.sender.replaceTrack(microphone),
      this.transceiver('video')?.sender.replaceTrack(video),
    ])
  }

  private preferCodecs(): void {
    const codecs = preferredVideoCodecs(this.platform.videoCodecs())
    // Firefox has it since version 128. An empty list would mean the browser's own order.
    if (codecs.length > 0) this.transceiver('video')?.setCodecPreferences?.(codecs)
  }

  /** Bounds and priorities of what is sent. Browsers that do not know one of them go on without it. */
  private async applySettings(): Promise<void> {
    const { maxBitrate, maxFramerate, degradationPreference } = videoSettings[this.sent.videoKind]
    await this.setParameters('audio', (parameters) => {
      for (const encoding of parameters.encodings)
        Object.assign(encoding, { priority: 'high', networkPriority: 'high' })
    })
    await this.setParameters('video', (parameters) => {
      parameters.degradationPreference = degradationPreference
      for (const encoding of parameters.encodings) Object.assign(encoding, { maxBitrate, maxFramerate })
    })
  }

  private async setParameters(kind: string, change: (parameters: RTCRtpSendParameters) => void): Promise<void> {
    const sender = this.transceiver(kind)?.sender
    const parameters = sender?.getParameters()
    if (!sender || !parameters?.encodings?.length) return
    change(parameters)
    await sender.setParameters(parameters).catch((error) => console.warn(error))
  }

  private updateRemoteStream(): void {
    const tracks = [this.receiver('audio')?.track, this.isVideoReceived ? this.receiver('video')?.track : undefined]
    for (const track of this.remoteStream.getTracks()) if (!tracks.includes(track)) this.remoteStream.removeTrack(track)
    for (const track of tracks) if (track) this.remoteStream.addTrack(track)
  }

  private async addEarlyCandidates(): Promise<void> {
    for (const candidate of this.earlyCandidates.splice(0)) await this.connection.addIceCandidate(candidate)
  }
}

/** The codecs of a call's video, the preferred one first, with their retransmission; what both have is used. */
export function preferredVideoCodecs(available: readonly RTCRtpCodec[]): RTCRtpCodec[] {
  const ofType = (type: string) => available.filter(({ mimeType }) => mimeType.toLowerCase() === type)
  return [...CODECS, 'video/rtx'].flatMap(ofType)
}
