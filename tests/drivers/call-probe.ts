import type { BrowserContext, Page } from 'playwright-core'

/** What a page's present connection sends and receives. Counters rise for as long as the connection lives. */
export interface MediaReading {
  /** Another id is another connection. */
  connectionId: string
  state: RTCPeerConnectionState
  framesDecoded: number
  /** Rises while sound is heard (Identifiers for WebRTC's Statistics API). */
  audioEnergy: number
  freezeCount: number
  freezeSeconds: number
  /** How the page reaches the other side. */
  protocol: string | null
  remoteAddress: string | null
}

/** The certificates of a DTLS association, as SHA-256 in hexadecimal. */
export interface Fingerprints {
  /** As the page describes itself. */
  own: string
  /** Of the certificate that the other end of the handshake has shown. */
  peer: string
}

/** What a page has learned from the other side. */
export interface ReceivedSignals {
  /** Descriptions and candidates that its connections were given. */
  descriptions: string[]
}

interface CallProbe {
  connections: { id: string; connection: RTCPeerConnection }[]
  signals: ReceivedSignals
}

declare global {
  interface Window {
    callProbe: CallProbe
  }
}

/** Lets `readMedia` and `readSignals` read the calls of a context's pages. To be called before its first page opens. */
export async function recordCalls(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const probe: CallProbe = { connections: [], signals: { descriptions: [] } }
    window.callProbe = probe
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super(configuration)
        probe.connections.push({ id: crypto.randomUUID(), connection: this })
      }
      override setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void> {
        probe.signals.descriptions.push(description.sdp ?? '')
        return super.setRemoteDescription(description)
      }
      override addIceCandidate(candidate?: RTCIceCandidateInit | null): Promise<void> {
        if (candidate?.candidate) probe.signals.descriptions.push(candidate.candidate)
        return candidate === undefined ? super.addIceCandidate() : super.addIceCandidate(candidate)
      }
    }
  })
}

export function readSignals(page: Page): Promise<ReceivedSignals> {
  return page.evaluate(() => window.callProbe.signals)
}

/** Reads the page's latest connection; null before there is one that is open. */
export function readMedia(page: Page): Promise<MediaReading | null> {
  return page.evaluate(async () => {
    const latest = window.callProbe.connections.findLast(({ connection }) => connection.connectionState !== 'closed')
    if (!latest) return null
    const { id: connectionId, connection } = latest
    /** The members that are read here, of every kind of statistics. */
    interface AnyStats extends Partial<RTCInboundRtpStreamStats> {
      selectedCandidatePairId?: string
      remoteCandidateId?: string
      protocol?: string
      address?: string
    }
    const all = new Map<string, AnyStats & { type: string }>()
    ;(await connection.getStats()).forEach((stats, id) => void all.set(id, stats))
    const find = (type: string, kind?: string) =>
      [...all.values()].find((stats) => stats.type === type && (kind === undefined || stats.kind === kind))
    const named = (id: string | undefined) => (id === undefined ? undefined : all.get(id))
    const video = find('inbound-rtp', 'video')
    const transport = find('transport')
    const remote = named(named(transport?.selectedCandidatePairId)?.remoteCandidateId)
    return {
      connectionId,
      state: connection.connectionState,
      framesDecoded: video?.framesDecoded ?? 0,
      audioEnergy: find('inbound-rtp', 'audio')?.totalAudioEnergy ?? 0,
      freezeCount: video?.freezeCount ?? 0,
      freezeSeconds: video?.totalFreezesDuration ?? 0,
      protocol: remote?.protocol ?? null,
      remoteAddress: remote?.address ?? null,
    }
  })
}

export function countOpenConnections(page: Page): Promise<number> {
  return page.evaluate(
    () => window.callProbe.connections.filter(({ connection }) => connection.connectionState !== 'closed').length,
  )
}

/** Reads the certificates of the page's latest connection. The statistics keep those of the first reading, so they do not help. */
export function readFingerprints(page: Page): Promise<Fingerprints> {
  return page.evaluate(async () => {
    const { connection } = window.callProbe.connections.at(-1) ?? {}
    const [certificate] = connection?.getReceivers()[0]?.transport?.getRemoteCertificates() ?? []
    if (!connection || !certificate) throw new Error('the page has no connection')
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', certificate))
    const own = /^a=fingerprint:sha-256 (\S+)/m.exec(connection.localDescription?.sdp ?? '')?.[1] ?? ''
    return {
      own: own.replaceAll(':', '').toLowerCase(),
      peer: [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    }
  })
}
