import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeCheck } from '../testing/ice-client.ts'
import { CALLER, InMemoryRelay } from '../testing/in-memory-relay.ts'
import { encodeSuccess, type ScannedCheck, scanCheck, verifyCheck } from './stun.ts'

/** RFC 5769, section 2: of both ends of these messages. */
const KEY = Buffer.from('VOkJxbRl1RmTxUk/WvJxBt')
const TRANSACTION = 'b7e7a701bc34d686fa87dfae'
const fromHex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex')

/** Section 2.1: a request with SOFTWARE, PRIORITY, ICE-CONTROLLED, USERNAME, MESSAGE-INTEGRITY and FINGERPRINT. */
const REQUEST = fromHex(`
  00010058 2112a442 ${TRANSACTION}
  80220010 5354554e 20746573 7420636c 69656e74
  00240004 6e0001ff 80290008 932ff9b1 51263b36
  00060009 6576746a 3a683676 59202020
  00080014 9aeaa70c bfd8cb56 781ef2b5 b2d3f249 c1b571a2
  80280004 e57a3bcf`)
/** Sections 2.2 and 2.3: XOR-MAPPED-ADDRESS of the responses, for 192.0.2.1 and an IPv6 address, port 32853. */
const MAPPED_IPV4 = fromHex('00200008 0001a147 e112a643')
const MAPPED_IPV6 = fromHex('00200014 0002a147 0113a9fa a5d3f179 bc25f4b5 bed2b9d9')
/** Section 2.2 whole, with the SOFTWARE that we do not send. */
const RESPONSE_IPV4 = fromHex(`
  0101003c 2112a442 ${TRANSACTION}
  8022000b 74657374 20766563 746f7220
  00200008 0001a147 e112a643
  00080014 2b91f599 fd9e90c3 8c7489f9 2af9ba53 f06be7d7
  80280004 c07d4c96`)

const scan = (data: Buffer): ScannedCheck | null => {
  const check = { usernameFragment: '', isNominating: false, transaction: 0 }
  return scanCheck(data, check) ? check : null
}

describe('STUN', () => {
  it('[RELAY-20] reads and verifies the request of RFC 5769', () => {
    expect(scan(REQUEST)).toEqual({ usernameFragment: 'evtj', isNominating: false, transaction: 0xb7e7a701 })
    expect(verifyCheck(REQUEST, KEY)?.toString('hex')).toBe(TRANSACTION)
    expect(verifyCheck(REQUEST, Buffer.from('another'))).toBeNull()
  })

  it('[RELAY-20] writes the address of the responses of RFC 5769, with integrity and fingerprint', () => {
    expect(verifyCheck(RESPONSE_IPV4, KEY)?.toString('hex')).toBe(TRANSACTION)
    const transaction = Buffer.from(TRANSACTION, 'hex')
    const ipv4 = encodeSuccess(transaction, '192.0.2.1', 32_853, KEY)
    const ipv6 = encodeSuccess(transaction, '2001:db8:1234:5678:11:2233:4455:6677', 32_853, KEY)
    for (const [response, mapped] of [
      [ipv4, MAPPED_IPV4],
      [ipv6, MAPPED_IPV6],
    ] as const) {
      expect(response.subarray(0, 2).toString('hex')).toBe('0101')
      expect(response.subarray(8, 20).toString('hex')).toBe(TRANSACTION)
      expect(response.subarray(20, 20 + mapped.length)).toEqual(mapped)
      expect(verifyCheck(response, KEY)).not.toBeNull()
    }
  })

  it('[RELAY-12] verifies the integrity without decoding other attributes, whose cost a stranger could choose', () => {
    const credentials = { usernameFragment: 'abcdefgh', password: 'p'.repeat(24) }
    const key = Buffer.from(credentials.password)
    // The type of each attribute that a library decodes (MAPPED-ADDRESS, ERROR-CODE, XOR-MAPPED-ADDRESS), of a wrong size.
    for (const extraType of [0x0001, 0x0009, 0x0020]) {
      const check = encodeCheck(credentials, { extra: Buffer.alloc(1), extraType })
      expect(scan(check)?.usernameFragment).toBe('abcdefgh')
      expect(verifyCheck(check, key)).toEqual(check.subarray(8, 20))
    }
  })

  it('[RELAY-20] finds the nomination, and refuses a username that is too long or has no colon', () => {
    const credentials = { usernameFragment: 'abcdefgh', password: 'p'.repeat(24) }
    expect(scan(encodeCheck(credentials, { isNominating: true }))?.isNominating).toBe(true)
    expect(scan(encodeCheck({ ...credentials, usernameFragment: 'a'.repeat(300) }))).toBeNull()
    const withoutColon = Buffer.from(REQUEST)
    withoutColon[withoutColon.indexOf(0x3a)] = 0x3b
    expect(scan(withoutColon)).toBeNull()
  })

  it('[RELAY-18] of random bytes and of mutated checks neither throws nor is answered', () => {
    const relay = new InMemoryRelay({ strangerChecks: 1e9, strangerChecksPerLeg: 1e9, strangerChecksPerAddress: 1e9 })
    const valid = encodeCheck(relay.credentials[0], { isNominating: true })
    const header = Buffer.from('000100002112a442', 'hex')
    const mutation = fc.record({ at: fc.nat(valid.length - 1), byte: fc.nat(255) })
    const packets = fc.oneof(
      fc.uint8Array({ maxLength: 1_600 }).map((bytes) => Buffer.from(bytes)),
      // A plausible header, attributes at random.
      fc.uint8Array({ maxLength: 600 }).map((bytes) => {
        const packet = Buffer.concat([header, Buffer.alloc(12), Buffer.from(bytes)])
        packet.writeUInt16BE(bytes.length, 2)
        return packet
      }),
      fc.array(mutation, { minLength: 1, maxLength: 4 }).map((mutations) => {
        const packet = Buffer.from(valid)
        for (const { at, byte } of mutations) packet[at] = byte
        return packet
      }),
      fc.nat(valid.length - 1).map((length) => valid.subarray(0, length)),
    )
    fc.assert(
      fc.property(packets, (packet) => {
        fc.pre(!packet.equals(valid))
        relay.receive(packet, CALLER)
        expect(relay.sent).toEqual([])
      }),
      { numRuns: 5_000 },
    )
    expect(relay.count('sources')).toBe(0)
    relay.receive(valid, CALLER)
    expect(relay.sent).toHaveLength(1)
  })
})
