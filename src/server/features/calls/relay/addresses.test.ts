import type { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../../kernel/config.ts'
import { findOwnAddresses, hostsFor } from './relay.ts'

/** What `networkInterfaces` says for these addresses; those in brackets are internal. */
function interfacesOf(...addresses: string[]): ReturnType<typeof networkInterfaces> {
  const entries = addresses.map((text) => {
    const address = text.replaceAll(/[()]/g, '')
    const family = address.includes(':') ? ('IPv6' as const) : ('IPv4' as const)
    const common = { address, netmask: '', mac: '', internal: text.startsWith('('), cidr: null }
    return family === 'IPv6' ? { ...common, family, scopeid: 0 } : { ...common, family }
  })
  return { any: entries }
}

describe('the addresses of the relay', () => {
  it('[RELAY-22] are the first external one of each family, else loopback', () => {
    const interfaces = interfacesOf(
      '(127.0.0.1)',
      '(::1)',
      '169.254.3.4',
      'fe80::1',
      '192.0.2.7',
      '2001:db8::7',
      '192.0.2.8',
    )
    expect(findOwnAddresses(interfaces)).toEqual(['192.0.2.7', '2001:db8::7'])
    expect(findOwnAddresses(interfacesOf('(127.0.0.1)', '(::1)', 'fe80::1'))).toEqual(['127.0.0.1'])
  })

  it('[RELAY-22] are bound alone on loopback, and else by all interfaces of their families', () => {
    expect(hostsFor(['127.0.0.1'])).toEqual(['127.0.0.1'])
    expect(hostsFor(['127.0.0.1', '::1'])).toEqual(['127.0.0.1', '::1'])
    expect(hostsFor(['192.0.2.7', '198.51.100.1'])).toEqual(['0.0.0.0'])
    expect(hostsFor(['192.0.2.7', '2001:db8::7'])).toEqual(['0.0.0.0', '::'])
  })

  it('[RELAY-22] and ports come from the settings, which are refused with their name when they are wrong', () => {
    const relayOf = (environment: NodeJS.ProcessEnv) => readConfig(environment).relay
    expect(relayOf({})).toEqual({ port: 0, addresses: [], hosts: [], workers: 1, maxCalls: 500 })
    const set = {
      MEYDAN_RELAY_PORT: '3478',
      MEYDAN_RELAY_ADDRESSES: '192.0.2.7, 2001:db8::7',
      MEYDAN_RELAY_HOST: '10.0.0.2',
    }
    expect(relayOf({ ...set, MEYDAN_RELAY_WORKERS: '2', MEYDAN_RELAY_CALLS: '50' })).toEqual({
      ...{ port: 3_478, addresses: ['192.0.2.7', '2001:db8::7'], hosts: ['10.0.0.2'], workers: 2, maxCalls: 50 },
    })
    const wrong = {
      MEYDAN_RELAY_PORT: ['65536', 'x'],
      MEYDAN_RELAY_ADDRESSES: ['relay.example', '192.0.2.7;192.0.2.8', Array(9).fill('192.0.2.7').join(',')],
      MEYDAN_RELAY_HOST: ['localhost'],
      MEYDAN_RELAY_WORKERS: ['0', '33'],
      MEYDAN_RELAY_CALLS: ['0', '10001'],
    }
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) expect(() => relayOf({ [name]: value }), value).toThrow(name)
    }
    expect(() => relayOf({ MEYDAN_RELAY_PORT: '65535', MEYDAN_RELAY_WORKERS: '2' })).toThrow(ConfigError)
  })
})
