import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rewriteDescription } from './sdp.ts'
import type { DescriptionType } from './sdp-parser.ts'
import {
  addressless,
  chromium,
  chromiumAnswer,
  linesOf,
  recorded,
  relay,
  rewritten,
} from './testing/sdp-fixtures/recorded-descriptions.ts'

describe('the descriptions that are accepted', () => {
  it('[SDP-06] accepts an answer that rejects the picture', () => {
    const [head = '', video = ''] = chromiumAnswer.sdp.split(/(?=m=video)/)
    const rejected = video.replace(/^m=video \d+/, 'm=video 0').replace(/^a=(?!mid).*\r\n/gm, '')
    const sdp = head.replace('BUNDLE 0 1', 'BUNDLE 0') + rejected
    expect(rewritten(sdp, 'answer')).toContain(rejected.split('\r\n')[0])
  })

  it.each<[string, Change]>([
    ['two bundles', (sdp) => sdp.replace('a=group:BUNDLE 0 1', 'a=group:BUNDLE 0\r\na=group:BUNDLE 1')],
    ['no bundle', (sdp) => sdp.replace('a=group:BUNDLE 0 1\r\n', '')],
    ['a bundle without the picture', (sdp) => sdp.replace('BUNDLE 0 1', 'BUNDLE 0')],
    ['a bundle with an unknown section', (sdp) => sdp.replace('BUNDLE 0 1', 'BUNDLE 0 1 2')],
    ['a bundle with a section twice', (sdp) => sdp.replace('BUNDLE 0 1', 'BUNDLE 0 0')],
    ['a group of another kind', (sdp) => sdp.replace('BUNDLE 0 1', 'LS 0 1')],
    ['a third section', (sdp) => sdp + sdp.slice(sdp.indexOf('m=video')).replace('a=mid:1', 'a=mid:2')],
    ['two sections of one kind', (sdp) => sdp.replace('m=audio', 'm=video')],
    ['two sections of one mid', (sdp) => sdp.replace('a=mid:1', 'a=mid:0')],
    ['a data channel', (sdp) => `${sdp}m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\na=mid:2\r\n`],
    ['no section', (sdp) => sdp.slice(0, sdp.indexOf('m='))],
    ['RTP without encryption', (sdp) => sdp.replace('UDP/TLS/RTP/SAVPF', 'RTP/AVPF')],
    ['a section without rtcp-mux', (sdp) => sdp.replace('a=rtcp-mux\r\n', '')],
    ['a section without a mid', (sdp) => sdp.replace('a=mid:1\r\n', '')],
    ['a section without credentials', (sdp) => sdp.replace(/a=ice-ufrag:.*\r\n/, '')],
    ['a first section without a port', (sdp) => sdp.replace('m=audio 9', 'm=audio 0')],
  ])('[SDP-06] refuses %s', (_, change) => expectRefused(chromium.sdp, change))

  it.each<[string, Change]>([
    ['no fingerprint', (sdp) => sdp.replace(/a=fingerprint:.*\r\n/g, '')],
    ['a section without one', (sdp) => sdp.replace(/a=fingerprint:.*\r\n/, '')],
    ['SHA-1', (sdp) => sdp.replace(/a=fingerprint:.*/g, `a=fingerprint:sha-1 ${bytes(20)}`)],
    ['SHA-1 beside SHA-256', (sdp) => sdp.replace(/(a=fingerprint:.*)/, `$1\r\na=fingerprint:sha-1 ${bytes(20)}`)],
    ['two certificates', (sdp) => sdp.replace(/a=fingerprint:.*/, `a=fingerprint:sha-256 ${bytes(32)}`)],
    ['a fingerprint that is too short', (sdp) => sdp.replace(/(a=fingerprint:.*):..(?=\r)/g, '$1')],
    ['holdconn', (sdp) => sdp.replaceAll('a=setup:actpass', 'a=setup:holdconn')],
    ['no setup role', (sdp) => sdp.replaceAll('a=setup:actpass\r\n', '')],
    [
      'SDES keys',
      (sdp) => `${sdp}a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:c29tZSBrZXkgdGhhdCBpcyBub25lIGF0IGFsbA==\r\n`,
    ],
    ['a key line', (sdp) => sdp.replace('c=IN', 'k=clear:secret\r\nc=IN')],
  ])('[SDP-07] refuses %s', (_, change) => expectRefused(chromium.sdp, change))

  it('[SDP-07] takes SHA-384 and SHA-512, and an answer with one of two roles', () => {
    for (const [hash, count] of [
      ['sha-384', 48],
      ['sha-512', 64],
    ] as const) {
      const sdp = chromium.sdp.replace(/a=fingerprint:.*/g, `a=fingerprint:${hash} ${bytes(count)}`)
      expect(rewritten(sdp, 'offer')).toContain(`a=fingerprint:${hash} ${bytes(count)}`)
    }
    expect(rewriteDescription(chromium.sdp, 'answer', relay)).toBeNull()
    expect(rewriteDescription(chromium.sdp.replaceAll('actpass', 'passive'), 'answer', relay)).not.toBeNull()
  })

  it('[SDP-08] takes LF for CRLF, and a last line without an end', () => {
    const expected = rewriteDescription(chromium.sdp, 'offer', relay)
    expect(rewriteDescription(chromium.sdp.replaceAll('\r\n', '\n'), 'offer', relay)).toBe(expected)
    expect(rewriteDescription(chromium.sdp.trimEnd(), 'offer', relay)).toBe(expected)
  })

  it.each<[string, Change]>([
    ['too many characters', (sdp) => sdp + `a=x:${'y'.repeat(900)}\r\n`.repeat(40)],
    ['too many lines', (sdp) => sdp + 'a=x\r\n'.repeat(600)],
    ['too long a line', (sdp) => `${sdp}a=x:${'y'.repeat(1024)}\r\n`],
    ['a lone CR', (sdp) => `${sdp}a=x:y\rm=audio\r\n`],
    ['NUL', (sdp) => `${sdp}a=x:y\0\r\n`],
    ['a tabulator', (sdp) => sdp.replace('m=audio 9', 'm=audio\t9')],
    ['a line separator of Unicode', (sdp) => `${sdp}a=x:y\u2028a=candidate\r\n`],
    ['a lone surrogate', (sdp) => `${sdp}a=x:\ud800\r\n`],
    ['letters beyond ASCII', (sdp) => sdp.replace('s=-', 's=Görüşme')],
  ])('[SDP-08] refuses %s', (_, change) => expectRefused(chromium.sdp, change))

  it.each<[string, Change]>([
    ['an empty text', () => ''],
    ['ends of lines alone', () => '\r\n\r\n'],
    ['JSON', (sdp) => JSON.stringify({ type: 'offer', sdp })],
    ['another version', (sdp) => sdp.replace('v=0', 'v=1')],
    ['a version that is not first', (sdp) => `s=-\r\n${sdp}`],
    ['two versions', (sdp) => sdp.replace('v=0', 'v=0\r\nv=0')],
    ['an empty line', (sdp) => sdp.replace('\r\nm=', '\r\n\r\nm=')],
    ['a folded line', (sdp) => sdp.replace('a=mid:0', 'a=mid:\r\n 0')],
    ['a line that begins with a space', (sdp) => sdp.replace('a=mid:0', ' a=mid:0')],
    ['a space round the equals sign', (sdp) => sdp.replace('a=mid:0', 'a = mid:0')],
    ['a type in capitals', (sdp) => sdp.replace('a=mid:0', 'A=mid:0')],
    ['an attribute in capitals', (sdp) => sdp.replace('a=candidate', 'a=Candidate')],
    ['an attribute without a name', (sdp) => `${sdp}a=:x\r\n`],
    ['a URI line', (sdp) => sdp.replace('s=-', 's=-\r\nu=http://192.0.2.1/')],
    ['a repeat line', (sdp) => sdp.replace('t=0 0', 't=0 0\r\nr=7d 1h 0 25h')],
    ['an origin without an address', (sdp) => sdp.replace(/o=.*/, 'o=- 1 2')],
    ['an origin of a huge number', (sdp) => sdp.replace(/o=.*/, `o=- ${'9'.repeat(300)} 2 IN IP4 0.0.0.0`)],
    ['a negative port', (sdp) => sdp.replace('m=audio 9', 'm=audio -9')],
    ['a number of ports', (sdp) => sdp.replace('m=audio 9', 'm=audio 9/2')],
    ['no payload type', (sdp) => sdp.replace(/(m=audio \S+ \S+).*/, '$1')],
    ['a payload type that is a word', (sdp) => sdp.replace(/(m=audio \S+ \S+).*/, '$1 opus')],
    ['a mid with a space', (sdp) => sdp.replace('a=mid:0', 'a=mid:0 0')],
    ['a repeated user fragment', (sdp) => sdp.replace('a=mid:0', 'a=mid:0\r\na=ice-ufrag:abcd')],
    ['a user fragment of two', (sdp) => sdp.replace(/a=ice-ufrag:.*/g, 'a=ice-ufrag:ab')],
    ['a password with a colon', (sdp) => sdp.replace(/a=ice-pwd:.*/g, `a=ice-pwd:${'a:'.repeat(20)}`)],
    ['a bandwidth without a number', (sdp) => sdp.replace('a=mid:0', 'b=AS:lots\r\na=mid:0')],
    ['a second session after the first', (sdp) => sdp + sdp],
  ])('[SDP-09] refuses %s', (_, change) => expectRefused(chromium.sdp, change))

  it('[SDP-09] takes any text without an exception', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\r\n',
        '\n',
        ' ',
        ':',
        '=',
        'a=',
        'm=audio 9 UDP/TLS/RTP/SAVPF 0',
        'a=candidate:',
        'v=0',
        'a=mid:0',
      ),
      fc.constantFrom(...linesOf(chromium.sdp)),
    )
    const type = fc.constantFrom<DescriptionType>('offer', 'answer')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom('', '\r\n'), type, (pieces, end, type) => {
        const result = rewriteDescription(pieces.join(end), type, relay)
        expect(result === null || result.startsWith('v=0\r\n')).toBe(true)
      }),
    )
  })

  it('[SDP-09] takes a recorded description with lines cut, doubled, swapped and changed', () => {
    const change = fc.record({
      kind: fc.constantFrom('cut', 'double', 'swap', 'change', 'shorten'),
      at: fc.nat(200),
      to: fc.nat(200),
      character: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    })
    fc.assert(
      fc.property(fc.constantFrom(...recorded), fc.array(change, { maxLength: 6 }), ({ sdp, type }, changes) => {
        const lines = linesOf(sdp)
        for (const one of changes) mutate(lines, one)
        const result = rewriteDescription(lines.join('\r\n'), type, addressless)
        // An accepted one is accepted again: what is given out is the description of a call.
        if (result !== null) expect(rewriteDescription(result, type, addressless)).toBe(result)
      }),
      { numRuns: 2000 },
    )
  })

  it('[SDP-09] tells why it refuses, without quoting the text', () => {
    const reasons: string[] = []
    rewriteDescription(chromium.sdp.replace('m=audio', 'm=secret'), 'offer', relay, (reason) => reasons.push(reason))
    expect(reasons).toEqual(['a section that is not of a call'])
  })
})
type Change = (sdp: string) => string

function expectRefused(sdp: string, change: Change): void {
  const reasons: string[] = []
  expect(change(sdp)).not.toBe(sdp)
  expect(rewriteDescription(change(sdp), 'offer', relay, (reason) => reasons.push(reason))).toBeNull()
  expect(reasons).toHaveLength(1)
}

function bytes(count: number): string {
  return Array.from({ length: count }, (_, byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':')
}

function mutate(
  lines: string[],
  { kind, at, to, character }: { kind: string; at: number; to: number; character: string },
): void {
  const line = lines[at % lines.length] ?? ''
  const other = lines[to % lines.length] ?? ''
  const index = at % Math.max(1, lines.length)
  if (kind === 'cut') lines.splice(index, 1)
  else if (kind === 'double') lines.splice(to % Math.max(1, lines.length), 0, line)
  else if (kind === 'swap') lines.splice(index, 1, other)
  else if (kind === 'shorten') lines[index] = line.slice(0, to % (line.length + 1))
  else lines[index] = line.slice(0, to % (line.length + 1)) + character + line.slice((to % (line.length + 1)) + 1)
}
