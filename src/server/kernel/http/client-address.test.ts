import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'
import { addressGroup, clientAddress, isHttps } from './client-address.ts'

function request(
  remoteAddress: string | undefined,
  headers: Record<string, string> = {},
  socket = {},
): IncomingMessage {
  return { socket: { remoteAddress, ...socket }, headers } as unknown as IncomingMessage // only these members are read
}

const proxied = { trustedProxies: ['10.0.0.0/8', '192.0.2.7', 'fd00::/8'] }
const direct = { trustedProxies: [] }
const from = (peer: string | undefined, forwarded?: string, config = proxied) =>
  clientAddress(config, request(peer, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }))

describe('the address of a client', () => {
  it.each([
    ['without a proxy', '203.0.113.5', undefined, '203.0.113.5'],
    ['wrapped in IPv6', '::ffff:203.0.113.5', undefined, '203.0.113.5'],
    ['through one proxy', '10.0.0.1', '203.0.113.5', '203.0.113.5'],
    ['through one proxy wrapped in IPv6', '::ffff:10.0.0.1', '203.0.113.5', '203.0.113.5'],
    ['wrapped in IPv6 in hexadecimal', '10.0.0.1', '::ffff:cb00:7105', '203.0.113.5'],
    ['wrapped in IPv6 in full', '10.0.0.1', '[0:0:0:0:0:FFFF:cb00:7105]:4711', '203.0.113.5'],
    ['that is no wrapped one', '10.0.0.1', '::ffff:0:cb00:7105', '::ffff:0:cb00:7105'],
    ['through two', '10.0.0.1', '203.0.113.5, 192.0.2.7', '203.0.113.5'],
    ['over IPv6', 'fd00::1', '2001:db8::5', '2001:db8::5'],
    ['with a port', '10.0.0.1', '203.0.113.5:4711', '203.0.113.5'],
    ['in brackets', '10.0.0.1', '[2001:db8::5]:4711', '2001:db8::5'],
    ['when all are proxies', '10.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.2'],
    ['when nothing was forwarded', '10.0.0.1', '', '10.0.0.1'],
    ['of a closed socket', undefined, undefined, ''],
  ])('[ACC-16] [HTTP-20] is found %s', (_, peer, forwarded, expected) => {
    expect(from(peer, forwarded)).toBe(expected)
  })

  it.each([
    ['from a peer that is not a trusted proxy', '203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['left of the entry that the proxy added', '10.0.0.1', '198.51.100.1, 203.0.113.5', '203.0.113.5'],
    ['with a proxy left of it', '10.0.0.1', '10.0.0.9, 203.0.113.5', '203.0.113.5'],
    ['without a valid address', '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
    ['with an injection attempt', '10.0.0.1', "203.0.113.5' or 1=1", '10.0.0.1'],
  ])('[ACC-16] is not taken from a header %s', (_, peer, forwarded, expected) => {
    expect(from(peer, forwarded)).toBe(expected)
  })

  it('[ACC-16] is the peer when no proxy is trusted, regardless of headers', () => {
    expect(from('127.0.0.1', '198.51.100.1', direct)).toBe('127.0.0.1')
  })

  it.each([
    ['203.0.113.5', '203.0.113.5'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::5', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['::ffff:203.0.113.5%eth0', '203.0.113.5'],
    ['0:0:0:0:0:ffff:cb00:7105', '203.0.113.5'],
  ])('[ACC-16] [HTTP-20] %s counts as %s', (address, group) => {
    expect(addressGroup(address)).toBe(group)
  })

  it.each(['elsewhere', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '::/129', '10.0.0.0/8/8', '10.0.0.1, x'])(
    '[ACC-16] MEYDAN_TRUSTED_PROXIES refuses %j',
    (named) => {
      const read = () => readConfig({ MEYDAN_TRUSTED_PROXIES: named })
      expect(read).toThrow(ConfigError)
      expect(read).toThrow(`MEYDAN_TRUSTED_PROXIES should be addresses or CIDR ranges, but is "${named}"`)
    },
  )

  it('[ACC-16] is found behind the proxies that the settings list', () => {
    const config = readConfig({ MEYDAN_TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8,192.0.2.7' })
    expect(from('192.0.2.7', '203.0.113.5, fd00::2, 10.9.9.9', config)).toBe('203.0.113.5')
  })

  it('[HTTP-20] is found behind proxies that the settings list as mapped addresses', () => {
    const config = readConfig({ MEYDAN_TRUSTED_PROXIES: '::ffff:10.0.0.0/104, ::ffff:192.0.2.7' })
    expect(from('10.9.9.9', '203.0.113.5, 192.0.2.7', config)).toBe('203.0.113.5')
    expect(from('192.0.2.8', '203.0.113.5', config)).toBe('192.0.2.8')
  })
})

describe('isHttps', () => {
  it('trusts only the socket itself and trusted proxies', () => {
    const forwarded = { 'x-forwarded-proto': 'https' }
    expect(isHttps(direct, request('203.0.113.5', {}, { encrypted: true }))).toBe(true)
    expect(isHttps(proxied, request('10.0.0.1', forwarded))).toBe(true)
    expect(isHttps(proxied, request('10.0.0.1', { 'x-forwarded-proto': 'https, http' }))).toBe(false)
    expect(isHttps(proxied, request('203.0.113.5', forwarded))).toBe(false)
    expect(isHttps(direct, request('127.0.0.1', forwarded))).toBe(false)
  })
})
