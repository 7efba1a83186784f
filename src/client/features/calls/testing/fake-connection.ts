import { CountedTarget, type FakeStream, FakeTrack } from './fake-media.ts'

interface Parameters {
  encodings: { maxBitrate?: number; maxFramerate?: number; priority?: string }[]
  degradationPreference?: string
}

class FakeSender {
  track: FakeTrack | null = null
  parameters: Parameters = { encodings: [{}] }
  streams: FakeStream[] = []

  replaceTrack = async (track: FakeTrack | null): Promise<void> => {
    this.track = track
  }
  setStreams = (...streams: FakeStream[]): void => {
    this.streams = streams
  }
  getParameters = (): Parameters => structuredClone(this.parameters)
  setParameters = async (parameters: Parameters): Promise<void> => {
    this.parameters = parameters
  }
}

class FakeTransceiver {
  readonly sender = new FakeSender()
  readonly receiver: { track: FakeTrack }
  direction = 'recvonly'
  codecs: string[] = []

  constructor(kind: string) {
    this.receiver = { track: new FakeTrack(kind, 'remote') }
  }

  setCodecPreferences = (codecs: { mimeType: string }[]): void => {
    this.codecs = codecs.map(({ mimeType }) => mimeType)
  }
}

let certificates = 0

/** An RTCPeerConnection without a network; the test sets its states. */
export class FakeConnection extends CountedTarget {
  readonly configuration: RTCConfiguration
  /** What was done, in its order. */
  readonly log: string[] = []
  readonly transceivers: FakeTransceiver[] = []
  readonly fingerprint = `sha-256 ${(++certificates).toString(16).padStart(2, '0').toUpperCase()}:AA`
  localDescription: { sdp: string } | null = null
  remoteDescription: { sdp: string } | null = null
  connectionState = 'new'
  iceConnectionState = 'new'
  statsReads = 0
  packetsReceived = 0
  /** What comes between two readings of the statistics. */
  packetRate = 0
  private offers = 0

  constructor(configuration: RTCConfiguration) {
    super()
    this.configuration = configuration
  }

  createOffer = async ({ iceRestart = false } = {}): Promise<{ sdp: string }> => {
    this.log.push(iceRestart ? 'offer with restart' : 'offer')
    return { sdp: this.describe(`offer ${++this.offers}`) }
  }

  /** Without a description it answers. */
  setLocalDescription = async (description?: { sdp: string }): Promise<void> => {
    if (!description) this.log.push('answer')
    this.localDescription = description ?? { sdp: this.describe('answer') }
  }

  setRemoteDescription = async (description: { sdp: string; type: string }): Promise<void> => {
    this.log.push(`remote ${description.type}`)
    this.remoteDescription = description
    if (this.transceivers.length === 0) for (const kind of ['audio', 'video']) this.add(kind)
  }

  addIceCandidate = async (candidate: { candidate?: string } | null): Promise<void> => {
    if (!this.remoteDescription) throw new Error('a candidate before the description')
    this.log.push(`candidate ${candidate?.candidate ?? 'end'}`)
  }

  addTransceiver = (kind: string, { direction = 'sendrecv' }: { direction?: string }): void => {
    this.add(kind).direction = direction
  }

  getTransceivers = (): FakeTransceiver[] => this.transceivers
  getReceivers = () => this.transceivers.map(({ receiver }) => receiver)

  getStats = async (): Promise<Map<string, object>> => {
    this.statsReads++
    this.packetsReceived += this.packetRate
    return new Map([['in', { type: 'inbound-rtp', kind: 'audio', packetsReceived: this.packetsReceived }]])
  }

  close = (): void => {
    this.log.push('close')
    this.connectionState = 'closed'
  }

  /** The network has brought it into a state. */
  become(state: 'connected' | 'disconnected' | 'failed'): void {
    this.iceConnectionState = state
    if (state !== 'disconnected') this.connectionState = state
    this.dispatchEvent(new Event('iceconnectionstatechange'))
    this.dispatchEvent(new Event('connectionstatechange'))
  }

  sender(kind: string): FakeSender {
    const found = this.transceivers.find(({ receiver }) => receiver.track.kind === kind)
    if (!found) throw new Error(`no transceiver for ${kind}`)
    return found.sender
  }

  private add(kind: string): FakeTransceiver {
    const added = new FakeTransceiver(kind)
    this.transceivers.push(added)
    return added
  }

  private describe(text: string): string {
    return `s=${text}\r\na=fingerprint:${this.fingerprint}\r\na=rtpmap:111 opus/48000/2\r\na=fmtp:111 minptime=10\r\n`
  }
}
