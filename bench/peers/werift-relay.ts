import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters } from 'werift'
import { type RelayRequest, serveLines } from './serve-lines.ts'

/** A relay for calls of two with werift's public calls alone: what comes by `ontrack` goes out by `sendRtp`. */
const codecs = {
  audio: [new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 })],
  video: [new RTCRtpCodecParameters({ mimeType: 'video/VP8', clockRate: 90_000, payloadType: 96 })],
}

type Media = Record<'audio' | 'video', MediaStreamTrack>

/** What each side of a call sends. */
const calls = new Map<number, [Media, Media]>()

await serveLines(join)

async function join({ call, side, sdp }: RelayRequest) {
  const media = calls.get(call) ?? [createMedia(), createMedia()]
  calls.set(call, media)
  const own = media[side]
  const other = media[side === 0 ? 1 : 0]
  const connection = new RTCPeerConnection({
    codecs,
    headerExtensions: {},
    iceLite: true,
    iceServers: [],
    iceUseIpv6: false,
    iceUseTcp: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
  })
  connection.onTrack.subscribe((track) => {
    const forwarded = own[track.kind === 'audio' ? 'audio' : 'video']
    track.onReceiveRtp.subscribe((packet) => forwarded.writeRtp(packet))
  })
  await connection.setRemoteDescription({ type: 'offer', sdp })
  for (const transceiver of connection.getTransceivers()) {
    transceiver.setDirection('sendrecv')
    await transceiver.sender.replaceTrack(other[transceiver.kind === 'audio' ? 'audio' : 'video'])
  }
  await connection.setLocalDescription(await connection.createAnswer())
  return { sdp: connection.localDescription?.sdp }
}

function createMedia(): Media {
  return { audio: new MediaStreamTrack({ kind: 'audio' }), video: new MediaStreamTrack({ kind: 'video' }) }
}
