/** What the receiver of our audio is asked for and we ask for: loss is repaired, and silence costs nothing (RFC 7587, section 6.1). */
const SPEECH_PARAMETERS = { useinbandfec: '1', usedtx: '1' }

/**
 * A description in which opus has in-band FEC and DTX. It changes what is sent only: an encoder follows the parameters of
 * the description that it receives, so the local one stays as the browser made it.
 */
export function withSpeechParameters(sdp: string): string {
  const payloadType = /^a=rtpmap:(\d+) opus\/48000/im.exec(sdp)?.[1]
  if (payloadType === undefined) return sdp
  const format = new RegExp(`^a=fmtp:${payloadType} (.*)$`, 'm')
  const existing = format.exec(sdp)?.[1]
  const line = `a=fmtp:${payloadType} ${withParameters(existing ?? '')}`
  if (existing !== undefined) return sdp.replace(format, line)
  return sdp.replace(new RegExp(`^a=rtpmap:${payloadType} .*$`, 'm'), (rtpmap) => `${rtpmap}\r\n${line}`)
}

/**
 * A description without feedback of payload types that its m= line does not name. Firefox leaves that of codecs that were
 * not preferred, and Chromium refuses the whole description then (RFC 4585, section 4.2).
 */
export function withoutUnusedFeedback(sdp: string): string {
  let payloadTypes: string[] = []
  const lines = sdp.split('\r\n').filter((line) => {
    if (line.startsWith('m=')) payloadTypes = line.split(' ').slice(3)
    const payloadType = /^a=rtcp-fb:(\d+) /.exec(line)?.[1]
    return payloadType === undefined || payloadTypes.includes(payloadType)
  })
  return lines.join('\r\n')
}

function withParameters(parameters: string): string {
  const pairs = parameters.split(';').map((pair) => pair.trim())
  const kept = pairs.filter((pair) => pair !== '' && !((pair.split('=')[0] ?? '') in SPEECH_PARAMETERS))
  return [...kept, ...Object.entries(SPEECH_PARAMETERS).map(([name, value]) => `${name}=${value}`)].join(';')
}

/**
 * The fingerprint of the DTLS certificate (RFC 8122, section 5), as `sha-256 AB:CD:...`; null without one, or with several:
 * a server between the two could put its own beside the right one, and the browser might use that.
 */
export function fingerprintOf(sdp: string): string | null {
  const found = [...sdp.matchAll(/^a=fingerprint:(\S+) ([\dA-F:]+)/gim)]
  const [fingerprint = null, ...others] = new Set(
    found.map(([, algorithm = '', value = '']) => `${algorithm.toLowerCase()} ${value.toUpperCase()}`),
  )
  return others.length > 0 ? null : fingerprint
}
