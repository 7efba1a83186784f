import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { Settings } from '../settings.ts'

type ProxySettings = Pick<Settings, 'trustedProxies'>

/** Our own machine and private networks (RFC 1918, RFC 4193), where proxies in front of us are. */
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

const proxyListCache = new WeakMap<string[], BlockList>()

/**
 * The address that a request comes from. X-Forwarded-For counts only as far as trusted proxies wrote it: it is read
 * from the right, and the first address that is not a trusted proxy's is the client's, whatever stands left of it.
 */
export function clientAddress(settings: ProxySettings, incoming: IncomingMessage): string {
  const proxies = trustedProxies(settings)
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
 * The address of whoever asks, as far as it is their own; null where it is that of a proxy which no setting names, and
 * so everybody's: on our own machine or network, with a header that says whom it speaks for.
 */
export function attributableAddress(settings: ProxySettings, incoming: IncomingMessage): string | null {
  const address = clientAddress(settings, incoming)
  if (address === '') return null
  const peer = normaliseAddress(incoming.socket.remoteAddress ?? '') ?? ''
  const isForwarded = incoming.headers['x-forwarded-for'] !== undefined || incoming.headers.forwarded !== undefined
  const isUnnamed = isForwarded && address === peer && privateNetworks.check(peer, familyOf(peer))
  return isUnnamed ? null : address
}

/** Whether the browser speaks https, to us or to a trusted proxy in front. */
export function isHttps(settings: ProxySettings, incoming: IncomingMessage): boolean {
  if ('encrypted' in incoming.socket) return true
  const peer = normaliseAddress(incoming.socket.remoteAddress ?? '') ?? ''
  return isTrusted(trustedProxies(settings), peer) && listHeader(incoming, 'x-forwarded-proto').at(-1) === 'https'
}

/** What limits count by: an IPv4 address, or the /64 that an IPv6 customer has at least. */
export function addressGroup(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const front = head ? head.split(':') : []
  const back = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array(Math.max(0, 8 - front.length - back.length)).fill('0')
  const groups = [...front, ...zeros, ...back].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** The ranges of `MEYDAN_TRUSTED_PROXIES`, which the settings have checked. */
function trustedProxies({ trustedProxies: ranges }: ProxySettings): BlockList {
  const known = proxyListCache.get(ranges)
  if (known) return known
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const family = familyOf(address)
    list.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family)
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

/** Without a port, brackets, or the wrapping of IPv4 in IPv6; null when it is no address. */
function normaliseAddress(text: string): string | null {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const unwrapped = /^::ffff:([\d.]+)$/i.exec(bare)?.[1] ?? bare
  return isIP(unwrapped) ? unwrapped : null
}
