import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { preferredVideoCodecs } from './call-peer.ts'
import { fingerprintOf, withoutUnusedFeedback, withSpeechParameters } from './description.ts'
import { securityCodeOf } from './security-code.ts'

const fixture = (name: string) =>
  readFileSync(new URL(`../../../../server/features/calls/testing/sdp-fixtures/${name}.sdp`, import.meta.url), 'utf8')
const codecs = (...types: string[]) => types.map((mimeType) => ({ mimeType, clockRate: 90_000 }))

describe('a description', () => {
  it.each(['chromium-offer', 'firefox-offer', 'chromium-answer-to-firefox'])(
    '[CALLCLIENT-21] of a browser (%s) gets error correction and DTX once, and changes in nothing else',
    (name) => {
      const before = fixture(name)
      const after = withSpeechParameters(before)
      expect(after).toMatch(/^a=fmtp:\d+ .*useinbandfec=1;usedtx=1\r?$/m)
      const others = (sdp: string) => sdp.split('\r\n').filter((line) => !/^a=fmtp:(111|109) /.test(line))
      expect(others(after)).toEqual(others(before))
      expect(withSpeechParameters(after)).toBe(after)
    },
  )

  it('[CALLCLIENT-25] of Firefox loses the feedback of codecs that it does not name', () => {
    const section = (feedback: string) =>
      `m=audio 9 UDP/TLS/RTP/SAVPF 99\r\na=rtcp-fb:99 nack\r\nm=video 9 UDP/TLS/RTP/SAVPF 121 120\r\n${feedback}a=mid:1\r\n`
    const used = 'a=rtcp-fb:121 nack pli\r\na=rtcp-fb:* transport-cc\r\n'
    expect(withoutUnusedFeedback(section(`${used}a=rtcp-fb:99 nack pli\r\n`))).toBe(section(used))
  })

  it('[CALLCLIENT-21] without parameters gets them below its codec, and without opus stays as it is', () => {
    expect(withSpeechParameters('a=rtpmap:96 opus/48000/2\r\na=mid:0\r\n')).toBe(
      'a=rtpmap:96 opus/48000/2\r\na=fmtp:96 useinbandfec=1;usedtx=1\r\na=mid:0\r\n',
    )
    expect(withSpeechParameters('a=mid:0\r\n')).toBe('a=mid:0\r\n')
  })

  it('[CALLCLIENT-22] names the certificate, unless it has none or several', () => {
    const line = 'a=fingerprint:SHA-256 ab:CD\r\n'
    expect(fingerprintOf(`v=0\r\n${line}`)).toBe('sha-256 AB:CD')
    expect(fingerprintOf(`v=0\r\n${line}m=audio 9\r\n${line.toLowerCase()}`)).toBe('sha-256 AB:CD')
    expect(fingerprintOf(`v=0\r\n${line}m=audio 9\r\na=fingerprint:sha-256 11:22\r\n`)).toBeNull()
    expect(fingerprintOf('v=0\r\n')).toBeNull()
  })
})

describe('video codecs', () => {
  it('[CALLCLIENT-21] of a browser without H.264 begin with VP9', () => {
    const available = codecs('video/VP8', 'video/AV1', 'video/VP9', 'video/ulpfec')
    expect(preferredVideoCodecs(available).map(({ mimeType }) => mimeType)).toEqual(['video/VP9', 'video/VP8'])
  })
})

describe('the security code', () => {
  it('[CALLCLIENT-22] is the same on both sides, and another one for another certificate', async () => {
    const code = await securityCodeOf(['sha-256 AA', 'sha-256 BB'])
    expect(code).toMatch(/^\d{5} \d{5} \d{5}$/)
    expect(await securityCodeOf(['sha-256 BB', 'sha-256 AA'])).toBe(code)
    expect(await securityCodeOf(['sha-256 AA', 'sha-256 BC'])).not.toBe(code)
  })
})
