import { describe, expect, it } from 'vitest'
import { encodeCheck, encodeMedia } from '../testing/ice-client.ts'
import { CALLEE, CALLER, InMemoryRelay, testCredentials } from '../testing/in-memory-relay.ts'
import { MAX_PACKET_BYTES } from './forwarder.ts'
import { DEFAULT_RELAY_LIMITS } from './worker-protocol.ts'

const PUBLIC_VIEWER = '203.0.113.9'

describe('checks', () => {
  it('[RELAY-18] from port 0, to which nothing can be sent, are dropped', () => {
    const relay = new InMemoryRelay()
    relay.nominate(0, CALLER, 0)
    expect(relay.sent).toEqual([])
    expect(relay.count('sources')).toBe(0)
  })

  it('[RELAY-02] are answered when they carry unknown attributes that may be ignored, of the size of a DTLS hello', () => {
    const relay = new InMemoryRelay()
    relay.receive(encodeCheck(relay.credentials[0], { isNominating: true, extra: Buffer.alloc(1_200) }), CALLER)
    expect(relay.sent).toHaveLength(1)
  })

  it('[RELAY-02] are answered only with the integrity of the leg and a fingerprint', () => {
    const relay = new InMemoryRelay({ strangerChecksPerLeg: 100 })
    const check = encodeCheck(relay.credentials[0], { isNominating: true })
    const wrongPassword = { ...relay.credentials[0], password: relay.credentials[1].password }
    relay.receive(encodeCheck(wrongPassword, { isNominating: true }), CALLER)
    relay.receive(encodeCheck(testCredentials(3, 0)), CALLER)
    for (let at = 0; at < check.length; at++) {
      const mutated = Buffer.from(check)
      mutated[at] = (mutated[at] ?? 0) ^ 1
      relay.receive(mutated, CALLER)
    }
    relay.receive(check.subarray(0, -8), CALLER) // without the fingerprint
    expect(relay.sent).toEqual([])
    expect(relay.count('nominatedLegs')).toBe(0)
    expect(relay.count('stunUnknownUser')).toBeGreaterThan(0)
    expect(relay.count('stunWrongIntegrity')).toBeGreaterThan(50)
    relay.receive(check, CALLER)
    expect(relay.sent).toHaveLength(1)
    expect(relay.count('nominatedLegs')).toBe(1)
  })

  it('[RELAY-03] without nomination are answered, and no media is sent to their source', () => {
    const relay = new InMemoryRelay()
    relay.connect()
    relay.check(1, PUBLIC_VIEWER)
    relay.receive(encodeMedia(1), CALLER)
    relay.receive(encodeMedia(2), PUBLIC_VIEWER)
    expect(relay.sent.filter(({ address }) => address === PUBLIC_VIEWER)).toHaveLength(1)
    expect(relay.mediaTo(CALLEE)).toEqual([1])
    expect(relay.mediaTo(CALLER)).toEqual([])
    expect(relay.count('notNominated')).toBe(1)
  })

  it('[RELAY-05] that were seen before do nothing from another address, whether nominating or not', () => {
    const relay = new InMemoryRelay()
    relay.connect()
    const [nominating, plain] = [true, false].map((isNominating) => encodeCheck(relay.credentials[0], { isNominating }))
    for (const check of [nominating, plain]) {
      if (!check) continue
      relay.receive(check, CALLER)
      relay.receive(check, PUBLIC_VIEWER)
    }
    expect(relay.sent.map(({ address }) => address)).toEqual([CALLER, CALLER])
    expect(relay.count('stunReplay')).toBe(2)
    relay.receive(encodeMedia(1), CALLEE)
    expect(relay.mediaTo(CALLER)).toEqual([1])
  })

  it('[RELAY-05] that are sent again after another nomination do not move the leg back', () => {
    const relay = new InMemoryRelay()
    relay.connect()
    const first = encodeCheck(relay.credentials[0], { isNominating: true })
    relay.receive(first, CALLER, 5_000)
    relay.nominate(0, CALLER, 6_000)
    relay.receive(first, CALLER, 5_000)
    relay.receive(encodeMedia(1), CALLEE)
    expect(relay.mediaTo(CALLER, 6_000)).toEqual([1])
    expect(relay.mediaTo(CALLER, 5_000)).toEqual([])
  })

  it('[RELAY-05] with a USE-CANDIDATE after the integrity, which does not cover it, are refused', () => {
    const relay = new InMemoryRelay()
    const check = encodeCheck(relay.credentials[0])
    const withoutFingerprint = check.subarray(0, -8)
    const forged = Buffer.concat([withoutFingerprint, Buffer.from([0, 0x25, 0, 0]), check.subarray(-8)])
    forged.writeUInt16BE(forged.length - 20, 2)
    relay.receive(forged, CALLER)
    expect(relay.sent).toEqual([])
    expect(relay.count('stunMalformed')).toBe(1)
  })

  it('[RELAY-05] cannot take an address that belongs to another leg', () => {
    const relay = new InMemoryRelay()
    relay.connect()
    const [attacker] = relay.openCall(1)
    relay.receive(encodeCheck(attacker, { isNominating: true }), CALLEE)
    expect(relay.sent).toEqual([])
    expect(relay.count('stunSourceTaken')).toBe(1)
    relay.receive(encodeMedia(1), CALLER)
    expect(relay.mediaTo(CALLEE)).toEqual([1])
  })

  it('[RELAY-12] of strangers are verified at most so often a second, by address and in all', () => {
    const relay = new InMemoryRelay({ strangerChecksPerAddress: 10, strangerChecks: 35 })
    const wrong = { ...relay.credentials[0], password: 'x'.repeat(24) }
    const attack = (address: string) => {
      for (let i = 0; i < 1_000; i++) relay.receive(encodeCheck(wrong), address)
    }
    attack(PUBLIC_VIEWER)
    expect(relay.count('stunWrongIntegrity')).toBe(10)
    for (const address of ['203.0.113.10', '203.0.113.11', '2001:db8::1', '2001:db8::2']) attack(address)
    expect(relay.count('stunWrongIntegrity')).toBe(35)
    expect(relay.count('stunRateLimit')).toBe(4_965)
    relay.nowMs += 1_000
    relay.nominate(0, CALLER)
    expect(relay.sent).toHaveLength(1)
  })

  it('[RELAY-12] with the credentials of one call from many addresses do not spend the budget of other calls', () => {
    const relay = new InMemoryRelay({ strangerChecksPerLeg: 10, strangerChecks: 100 })
    const [caller] = relay.openCall(1)
    for (let i = 1; i <= 250; i++) relay.check(0, `203.0.113.${i}`)
    expect(relay.sent).toHaveLength(10)
    relay.receive(encodeCheck(caller), CALLER)
    expect(relay.sent).toHaveLength(11)
  })

  it('[RELAY-12] of addresses in one IPv6 prefix of 64 bits count together', () => {
    const relay = new InMemoryRelay({ strangerChecksPerAddress: 3 })
    const wrong = { ...relay.credentials[0], password: 'x'.repeat(24) }
    for (let i = 1; i <= 9; i++) relay.receive(encodeCheck(wrong), `2001:db8:1:2::${i}`)
    expect(relay.count('stunWrongIntegrity')).toBe(3)
    relay.receive(encodeCheck(wrong), '2001:db8:1:3::1')
    expect(relay.count('stunWrongIntegrity')).toBe(4)
  })

  it('[RELAY-12] of a known source have a budget of their own, which strangers cannot spend', () => {
    const relay = new InMemoryRelay({ strangerChecks: 5, checksPerLeg: 7 })
    relay.connect()
    const wrong = { ...relay.credentials[0], password: 'x'.repeat(24) }
    for (let i = 0; i < 100; i++) relay.receive(encodeCheck(wrong), PUBLIC_VIEWER)
    for (let i = 0; i < 100; i++) relay.check(0, CALLER)
    expect(relay.sent).toHaveLength(7)
  })

  it('[RELAY-12] from ever new ports of one browser keep at most eight sources', () => {
    const checks = 5_000
    const relay = new InMemoryRelay({
      ...{ strangerChecksPerAddress: checks, strangerChecksPerLeg: checks, strangerChecks: checks },
    })
    relay.connect()
    for (let port = 10_000; port < 13_000; port++) relay.check(0, CALLER, {}, port)
    expect(relay.count('sources')).toBe(9)
    relay.receive(encodeMedia(1), CALLEE)
    expect(relay.mediaTo(CALLER)).toEqual([1])
  })
})

describe('limits', () => {
  it('[RELAY-09] [RELAY-12] [RELAY-14] [RELAY-15] are these where nothing else is set', () => {
    expect(DEFAULT_RELAY_LIMITS).toEqual({
      ...{ packetsPerSecond: 2_000, bytesPerSecond: 1_250_000 },
      ...{ strangerChecksPerAddress: 100, strangerChecksPerLeg: 50, strangerChecks: 2_000, checksPerLeg: 100 },
      ...{ tcpConnections: 1_024, tcpConnectionsPerAddress: 64, tcpPending: 128 },
      ...{ tcpCheckTimeoutMs: 5_000, tcpStallTimeoutMs: 5_000, tcpBacklogBytes: 131_072 },
    })
    const relay = new InMemoryRelay()
    relay.connect()
    for (let number = 0; number < 2_100; number++) relay.receive(encodeMedia(number), CALLER)
    for (let number = 0; number < 900; number++) relay.receive(encodeMedia(number, 1_500), CALLEE)
    expect(relay.mediaTo(CALLEE)).toHaveLength(2_000)
    expect(relay.mediaTo(CALLER)).toHaveLength(833)
  })
})

describe('media', () => {
  it('[RELAY-04] of an address without a check is dropped, and nothing is sent to it: a DTLS hello before ICE too', () => {
    const relay = new InMemoryRelay()
    const hello = Buffer.concat([Buffer.from([22, 254, 253]), Buffer.alloc(100)])
    relay.receive(hello, CALLER)
    relay.connect()
    relay.receive(hello, PUBLIC_VIEWER)
    relay.receive(encodeMedia(1), PUBLIC_VIEWER)
    relay.receive(encodeMedia(2), CALLER, 5_001)
    expect(relay.sent).toEqual([])
    expect(relay.count('unknownSource')).toBe(4)
  })

  it('[RELAY-06] follows a new nomination in both directions, and the old address gets nothing more', () => {
    const relay = new InMemoryRelay()
    relay.connect()
    relay.nowMs += 30_000
    relay.nominate(0, CALLER, 7_000)
    relay.receive(encodeMedia(1), CALLER, 7_000)
    relay.receive(encodeMedia(2), CALLEE)
    relay.receive(encodeMedia(3), CALLER, 5_000)
    expect(relay.mediaTo(CALLEE)).toEqual([1])
    expect(relay.mediaTo(CALLER, 7_000)).toEqual([2])
    expect(relay.mediaTo(CALLER, 5_000)).toEqual([])
  })

  it('[RELAY-23] follows what a side sends when it nominated several addresses, as Firefox does', () => {
    const relay = new InMemoryRelay()
    relay.nominate(0, CALLER)
    relay.receive(encodeMedia(1), CALLER)
    relay.nominate(0, CALLER, 7_000)
    relay.nominate(1, CALLEE)
    expect(relay.mediaTo(CALLEE)).toEqual([1])
    relay.receive(encodeMedia(2), CALLER)
    relay.receive(encodeMedia(3), CALLEE)
    expect(relay.mediaTo(CALLEE)).toEqual([1, 2])
    expect(relay.mediaTo(CALLER)).toEqual([3])
    expect(relay.mediaTo(CALLER, 7_000)).toEqual([])
    expect(relay.count('nominatedLegs')).toBe(2)
  })

  it('[RELAY-07] goes on during an ICE restart, whose new credentials end the earlier ones once they are used', () => {
    const relay = new InMemoryRelay()
    relay.connect()
    const [earlier] = relay.credentials
    const restarts = [1, 2, 3].map((restart) => testCredentials(0, 0, restart))
    for (const credentials of restarts) relay.forwarder.restartLeg(0, 0, credentials)
    relay.check(0, CALLER)
    expect(relay.sent).toHaveLength(1)
    const newest = restarts.at(-1) ?? earlier
    relay.receive(encodeCheck(newest, { isNominating: true }), CALLER, 8_000)
    expect(relay.sent).toHaveLength(2)
    for (const credentials of [earlier, ...restarts.slice(0, -1)]) relay.receive(encodeCheck(credentials), CALLER)
    expect(relay.sent).toHaveLength(2)
    expect(relay.count('usernames')).toBe(2)
    relay.receive(encodeMedia(1), CALLEE)
    expect(relay.mediaTo(CALLER, 8_000)).toEqual([1])
  })

  it('[RELAY-07] has at most three credentials a leg', () => {
    const relay = new InMemoryRelay()
    for (let restart = 1; restart < 100; restart++) relay.forwarder.restartLeg(0, 1, testCredentials(0, 1, restart))
    expect(relay.count('usernames')).toBe(1 + 3)
  })

  it('[RELAY-08] that comes before the other side waits, eight packets, and is sent in order', () => {
    const relay = new InMemoryRelay()
    relay.nominate(0, CALLER)
    for (let number = 1; number <= 9; number++) relay.receive(encodeMedia(number), CALLER)
    expect(relay.count('notReady')).toBe(1)
    relay.check(1, CALLEE)
    expect(relay.mediaTo(CALLEE)).toEqual([])
    relay.nominate(1, CALLEE)
    expect(relay.mediaTo(CALLEE)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    relay.receive(encodeMedia(10), CALLER)
    expect(relay.mediaTo(CALLEE).at(-1)).toBe(10)
  })

  it('[RELAY-08] that comes between the first check and the nomination waits; that of an address that is not nominated is forgotten', () => {
    const relay = new InMemoryRelay()
    relay.nominate(1, CALLEE)
    relay.check(0, CALLER)
    relay.check(0, PUBLIC_VIEWER)
    relay.receive(encodeMedia(1), CALLER)
    relay.receive(encodeMedia(2), PUBLIC_VIEWER)
    expect(relay.mediaTo(CALLEE)).toEqual([])
    relay.nominate(0, CALLER)
    expect(relay.mediaTo(CALLEE)).toEqual([1])
    relay.nominate(0, PUBLIC_VIEWER)
    expect(relay.mediaTo(CALLEE)).toEqual([1])
  })

  it('[RELAY-09] beyond a leg’s packets or bytes a second is dropped, and the other direction is not slowed', () => {
    const relay = new InMemoryRelay({ packetsPerSecond: 50, bytesPerSecond: 10_000 })
    relay.connect()
    for (let number = 0; number < 60; number++) relay.receive(encodeMedia(number), CALLER)
    expect(relay.mediaTo(CALLEE)).toHaveLength(50)
    for (let number = 0; number < 20; number++) relay.receive(encodeMedia(number, 1_000), CALLEE)
    expect(relay.mediaTo(CALLER)).toHaveLength(10)
    expect(relay.count('rateLimit')).toBe(20)
    relay.nowMs += 500
    for (let number = 0; number < 60; number++) relay.receive(encodeMedia(number), CALLER)
    expect(relay.mediaTo(CALLEE)).toHaveLength(75)
  })

  it('[RELAY-09] that is too long, too short, or neither DTLS nor SRTP by its first byte is dropped', () => {
    const relay = new InMemoryRelay()
    relay.connect()
    relay.receive(encodeMedia(1, MAX_PACKET_BYTES + 1), CALLER)
    relay.receive(Buffer.from([0x80, 1, 2]), CALLER)
    relay.receive(Buffer.from([22, 254, 253, 0]), CALLER)
    relay.receive(Buffer.alloc(0), CALLER)
    expect(relay.count('badSize')).toBe(3)
    for (const first of [4, 19, 64, 127, 192, 255]) relay.receive(Buffer.alloc(100, first), CALLER)
    expect(relay.count('unknownProtocol')).toBe(7)
    expect(relay.sent).toEqual([])
    for (const first of [20, 63, 128, 191]) relay.receive(Buffer.alloc(100, first), CALLER)
    expect(relay.sent).toHaveLength(4)
  })

  it('[RELAY-10] of a closed call is dropped at once, and its checks are not answered', () => {
    const relay = new InMemoryRelay()
    relay.connect()
    relay.state.close(0)
    relay.receive(encodeMedia(1), CALLER)
    relay.nominate(1, CALLEE)
    expect(relay.sent).toEqual([])
    expect(relay.count('callClosed')).toBe(2)
  })

  it('[RELAY-17] leaves no source, username or nomination behind when its call is closed', () => {
    const relay = new InMemoryRelay()
    relay.connect()
    relay.check(0, PUBLIC_VIEWER)
    relay.forwarder.restartLeg(0, 1, testCredentials(0, 1, 1))
    relay.forwarder.closeCall(0)
    for (const name of ['calls', 'sources', 'usernames', 'nominatedLegs'] as const) expect(relay.count(name)).toBe(0)
  })
})
