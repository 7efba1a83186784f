import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rewriteDescription } from './sdp.ts'
import {
  addressless,
  chromium,
  firefox,
  linesOf,
  recorded,
  relay,
  rewritten,
} from './testing/sdp-fixtures/recorded-descriptions.ts'

const ICE_LINE =
  /^a=(candidate|remote-candidates|end-of-candidates|ice-lite|ice-mismatch|ice-pacing|ice-ufrag|ice-pwd|ice-options|rtcp)(:|$)/
const REPLACED_LINE = new RegExp(`${ICE_LINE.source}|^[oc]=|^m=`)

describe('rewriteDescription', () => {
  it.each(recorded)('[SDP-01] gives $name the credentials of the relay alone', ({ sdp, type }) => {
    const lines = rewritten(sdp, type)
    const before = linesOf(sdp)
    const count = (all: string[], start: string) => all.filter((line) => line.startsWith(start)).length
    for (const [attribute, value] of [
      ['a=ice-ufrag:', 'relayFragment'],
      ['a=ice-pwd:', 'relayPasswordOf24Letters'],
    ] as const) {
      const values = lines.filter((line) => line.startsWith(attribute))
      expect(values).toHaveLength(count(before, attribute))
      expect(new Set(values)).toEqual(new Set([attribute + value]))
    }
    expect(lines.filter((line) => line === 'a=ice-lite')).toHaveLength(1)
    expect(lines.indexOf('a=ice-lite')).toBeLessThan(lines.findIndex((line) => line.startsWith('m=')))
    expect(lines.filter((line) => line.startsWith('a=ice-options:'))).toEqual(
      before.filter((line) => line === 'a=ice-options:trickle'),
    )
  })

  it('[SDP-01] passes on no ICE option of the browser but trickle', () => {
    const optionsOf = (options: string) =>
      rewritten(firefox.sdp.replace('a=ice-options:trickle', `a=ice-options:${options}`), 'offer').filter((line) =>
        line.startsWith('a=ice-options'),
      )
    expect(optionsOf('renomination trickle ice2')).toEqual(['a=ice-options:trickle'])
    expect(optionsOf('renomination')).toEqual([])
  })

  it.each(recorded)(
    '[SDP-02] gives $name the candidates of the relay in the section of the bundle',
    ({ sdp, type }) => {
      const lines = rewritten(sdp, type)
      const sections = lines.join('\n').split('\nm=').slice(1)
      expect(sections[0]?.split('\n').slice(-5)).toEqual([...expectedCandidates, 'a=end-of-candidates'])
      expect(lines.filter((line) => /^a=(candidate|end-of-candidates)/.test(line))).toHaveLength(5)
    },
  )

  it('[SDP-02] gives the candidates to the first section of the bundle, not of the description', () => {
    const lines = rewritten(chromium.sdp.replace('BUNDLE 0 1', 'BUNDLE 1 0'), 'offer')
    expect(lines.slice(-5)).toEqual([...expectedCandidates, 'a=end-of-candidates'])
    expect(lines.filter((line) => line === 'a=end-of-candidates')).toHaveLength(1)
  })

  it('[SDP-03] orders candidates by transport, then by place', () => {
    const candidates = rewritten(chromium.sdp, 'offer').filter((line) => line.startsWith('a=candidate:'))
    const priorities = candidates.map((line) => Number(line.split(' ')[3]))
    expect(priorities).toEqual(priorities.toSorted((a, b) => b - a))
    expect(new Set(priorities).size).toBe(4)
    expect(priorities.every((priority) => Number.isSafeInteger(priority) && priority > 0 && priority < 2 ** 31)).toBe(
      true,
    )
    expect(new Set(candidates.map((line) => line.split(' ')[0])).size).toBe(4)
  })

  it.each(recorded)('[SDP-04] leaves no address and no port of the browser in $name', ({ sdp, type }) => {
    const text = rewriteDescription(sdp, type, addressless) ?? ''
    expect(text).not.toMatch(/\.local|127\.0\.0\.1/)
    expect(new Set(text.match(/\d+\.\d+\.\d+\.\d+/g))).toEqual(new Set(['0.0.0.0']))
    for (const [, port] of text.matchAll(/^(?:m=\w+|a=rtcp:)\s*(\d+)/gm)) expect(['0', '9']).toContain(port)
  })

  it('[SDP-04] gives out no address, however and wherever it stands', () => {
    const address = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.uuid().map((id) => `${id}.local`),
      fc.ipV4().map((v4) => `::ffff:${v4}`),
    )
    const place = fc.record({
      description: fc.constantFrom(...recorded),
      address,
      at: fc.nat(199),
    })
    const way = fc.constantFrom<Injection>(
      (line, address) => `${line} ${address}`,
      (line, address) => `${line}${address}`,
      (line, address) => line.replace(/[^=: ]+$/, address),
      (line, address) => `${line}\r\na=x:${address}`,
      (line, address) => `${line}\r\na=candidate:1 1 udp 1 ${address} 50000 typ srflx raddr ${address} rport 1`,
      (line, address) => `${line}\r\na=remote-candidates:1 ${address} 50000`,
      (line, address) => `${line}\r\nc=IN IP4 ${address}`,
      (line, address) => line.replace(/:/, `:${address} `),
    )
    let accepted = 0
    fc.assert(
      fc.property(place, way, ({ description, address, at }, inject) => {
        const lines = linesOf(description.sdp)
        const index = at % lines.length
        lines[index] = inject(lines[index] ?? '', address)
        const result = rewriteDescription(lines.join('\r\n'), description.type, addressless)
        if (result === null) return
        accepted += 1
        expect(withoutNeutral(result).toLowerCase()).not.toContain(address.toLowerCase())
      }),
      { numRuns: 3000 },
    )
    // Else the property would say nothing.
    expect(accepted).toBeGreaterThan(1000)
  })

  it.each(recorded)('[SDP-05] keeps every other line of $name', ({ sdp, type }) => {
    const others = (lines: string[]) => lines.filter((line) => !REPLACED_LINE.test(line))
    expect(others(rewritten(sdp, type))).toEqual(others(linesOf(sdp)))
    const formats = (lines: string[]) =>
      lines.filter((line) => line.startsWith('m=')).map((line) => line.split(' ').toSpliced(1, 1))
    expect(formats(rewritten(sdp, type))).toEqual(formats(linesOf(sdp)))
    const origins = (lines: string[]) => lines[1]?.split(' ').slice(0, 3)
    expect(origins(rewritten(sdp, type))).toEqual(origins(linesOf(sdp)))
  })

  it('[SDP-05] accepts its own output, and changes nothing in it but the candidates', () => {
    for (const { sdp, type } of recorded) {
      const once = rewriteDescription(sdp, type, relay) ?? ''
      expect(rewriteDescription(once, type, relay)).toBe(once)
    }
  })
})

type Injection = (line: string, address: string) => string

// 126 * 2^24 + 65535 * 2^8 + 255 and one place lower; 90 * 2^24 + (4 * 2^13 + 8191 - 2) * 2^8 + 255 and one place lower.
const expectedCandidates = [
  'a=candidate:1 1 udp 2130706431 203.0.113.7 40000 typ host',
  'a=candidate:2 1 udp 2130706175 2001:db8::7 40000 typ host',
  'a=candidate:3 1 tcp 1520434687 203.0.113.7 40000 typ host tcptype passive',
  'a=candidate:4 1 tcp 1520434431 2001:db8::7 40000 typ host tcptype passive',
]
/** Without what the rewriting itself writes, in which a short address such as '::' or '0.0.0.0' may be found. */
function withoutNeutral(sdp: string): string {
  return sdp.replaceAll('IN IP4 0.0.0.0', '')
}
