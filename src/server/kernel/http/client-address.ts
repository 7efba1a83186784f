import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6, type Socket, SocketAddress } from 'node:net'
import type { Config } from '../config.ts'

type ProxyConfig = Pick<Config, 'trustedProxies'>

/** Loopback and private networks (RFC 1918, RFC 4193), where a reverse proxy usually runs. */
const privateNetworks = new BlockList()
for (const [net, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  privateNetworks.addSubnet(net, prefix, 'ipv4')
}
privateNetworks.addAddress('::1', 'ipv6')
privateNetworks.addSubnet('fc00::', 7, 'ipv6')

/** Bits before the IPv4 address in a mapped one. */
const MAPPED_PREFIX_LENGTH = 96

const proxyListCache = new WeakMap<string[], BlockList>()

/**
 * The client address of a request; empty if the socket is gone. X-Forwarded-For is read from the right, and the first
 * address that is not a trusted proxy is the client's. Entries left of it are ignored, because the client can forge them.
 */
export function clientAddress(config: ProxyConfig, incoming: IncomingMessage): string {
  const proxies = trustedProxies(config)
  let address = normaliseAddress(incoming.socket.remoteAddress ?? '') ?? ''
  const hops = listHeader(incoming, 'x-forwarded-for').reverse()
  for (const hop of hops) {
    if (!isTrusted(proxies, address)) return address
    const next = normaliseAddress(hop)
    if (!next) return address
    address = next
  }
  return address
}

/**
 * The client address, or null when it probably belongs to a proxy that the settings do not list, and so to all clients:
 * a loopback or private peer that sends a forwarding header.
 */
export function attributableAddress(config: ProxyConfig, incoming: IncomingMessage): string | null {
  const address = clientAddress(config, incoming)
  if (address === '') return null
  const peer = normaliseAddress(incoming.socket.remoteAddress ?? '') ?? ''
  const isForwarded = incoming.headers['x-forwarded-for'] !== undefined || incoming.headers.forwarded !== undefined
  const isUnlistedProxy = isForwarded && address === peer && privateNetworks.check(peer, familyOf(peer))
  return isUnlistedProxy ? null : address
}

/** The address of a socket's peer before anything is read; null for a trusted proxy, and when the socket is gone. */
export function directAddress(config: ProxyConfig, { remoteAddress }: Socket): string | null {
  const address = normaliseAddress(remoteAddress ?? '')
  return address === null || isTrusted(trustedProxies(config), address) ? null : address
}

/** Whether the browser uses https, to this server or to a trusted proxy. */
export function isHttps(config: ProxyConfig, incoming: IncomingMessage): boolean {
  if ('encrypted' in incoming.socket) return true
  const peer = normaliseAddress(incoming.socket.remoteAddress ?? '') ?? ''
  return isTrusted(trustedProxies(config), peer) && listHeader(incoming, 'x-forwarded-proto').at(-1) === 'https'
}

/** The key of address limits: an IPv4 address, or the /64 of an IPv6 address, the smallest network a customer gets. */
export function addressGroup(address: string): string {
  const unwrapped = unwrapMapped(address)
  if (!isIPv6(unwrapped)) return unwrapped
  const [head = '', tail] = (unwrapped.split('%')[0] ?? '').split('::')
  const front = head ? head.split(':') : []
  const back = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array(Math.max(0, 8 - front.length - back.length)).fill('0')
  const groups = [...front, ...zeros, ...back].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** The ranges of `MEYDAN_TRUSTED_PROXIES`, already validated by the settings. */
function trustedProxies({ trustedProxies: ranges }: ProxyConfig): BlockList {
  const cached = proxyListCache.get(ranges)
  if (cached) return cached
  const list = new BlockList()
  for (const range of ranges) {
    const [written = '', prefix] = range.split('/')
    const address = unwrapMapped(written)
    const family = familyOf(address)
    const length = Number(prefix ?? (isIPv6(written) ? 128 : 32))
    list.addSubnet(address, address === written ? length : Math.max(0, length - MAPPED_PREFIX_LENGTH), family)
  }
  proxyListCache.set(ranges, list)
  return list
}

function isTrusted(proxies: BlockList, address: string): boolean {
  return isIP(address) !== 0 && proxies.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

/** The entries of a list header; several headers of one name count as one list (RFC 9110, section 5.3). */
function listHeader(incoming: IncomingMessage, header: string): string[] {
  const value = incoming.headers[header]
  return String(value ?? '')
    .split(',')
    .map((entry) => entry.trim())
}

/** Strips port, brackets and the IPv4-in-IPv6 prefix; null if the text is not an address. */
function normaliseAddress(text: string): string | null {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(bare) ? unwrapMapped(bare) : null
}

/** The IPv4 address of an IPv4-mapped IPv6 address in any notation (RFC 4291, section 2.5.5.2); others unchanged. */
function unwrapMapped(address: string): string {
  if (!/^[0:]+:ffff:/i.test(address) || !isIPv6(address)) return address
  const canonical = new SocketAddress({ address: address.split('%')[0] ?? '', family: 'ipv6' }).address
  return /^::ffff:([\d.]+)$/.exec(canonical)?.[1] ?? address
}
