import type { RelayCandidate } from './relay/relay-call.ts'
import type { LegCredentials } from './relay/worker-protocol.ts'
import {
  type DescriptionType,
  type MediaSection,
  type ParsedDescription,
  parseDescription,
  splitAttribute,
} from './sdp-parser.ts'

/** The relay as a browser sees it: an ICE-lite peer. */
export interface IcePeer {
  credentials: LegCredentials
  candidates: readonly RelayCandidate[]
}

/** Without trickled candidates a description has no default one (RFC 8840, section 4.1.1). */
const NO_ADDRESS = 'IN IP4 0.0.0.0'
const NO_PORT = 9

/** Lines about the browser's own ICE agent. The relay is the ICE peer, so it states its own. */
const ICE_ATTRIBUTES = new Set([
  'candidate',
  'remote-candidates',
  'end-of-candidates',
  'ice-lite',
  'ice-mismatch',
  'ice-pacing',
])

/** RFC 8445, section 5.1.2.2: 126 for host candidates. TCP is below UDP (RFC 6544, section 4.2), with libwebrtc's value. */
const TYPE_PREFERENCE = { udp: 126, tcp: 90 }
/** RFC 6544, section 4.2: passive host candidates. */
const PASSIVE_DIRECTION_PREFERENCE = 4
const RTP_COMPONENT = 1

/**
 * The description as the other browser may see it: the relay's credentials and candidates replace those of the browser,
 * and no address of the browser remains. All other lines stay as they are, in their order; lines end with CRLF. Null if
 * it is not the description of a call; `onRefused` hears why. Takes time in proportion to the length, which is bounded.
 * RFC 8829, RFC 8839.
 *
 * Line-based on purpose: werift's SessionDescription drops lines that it does not know and accepts what RFC 8866 does
 * not, and loading werift on the main thread costs 200 ms and 80 MB.
 */
export function rewriteDescription(
  sdp: string,
  type: DescriptionType,
  peer: IcePeer,
  onRefused?: (reason: string) => void,
): string | null {
  const parsed = parseDescription(sdp, type)
  if ('refused' in parsed) {
    onRefused?.(parsed.refused)
    return null
  }
  return [...rewriteSession(parsed, peer), ...parsed.media.flatMap((section) => rewriteSection(section, parsed, peer))]
    .map((line) => `${line}\r\n`)
    .join('')
}

function rewriteSession({ session }: ParsedDescription, { credentials }: IcePeer): string[] {
  return [...session.flatMap((line) => rewriteLine(line, credentials)), 'a=ice-lite']
}

/** Candidates stand only in the section that carries the bundle (RFC 8829, section 4.1.1; RFC 9143, section 7.1.3). */
function rewriteSection(section: MediaSection, { bundled }: ParsedDescription, peer: IcePeer): string[] {
  const lines = section.lines.flatMap((line) => rewriteLine(line, peer.credentials))
  if (section.mid !== bundled[0]) return lines
  return [...lines, ...peer.candidates.map(formatCandidate), 'a=end-of-candidates']
}

/** No line, the same line, or the line that replaces it. */
function rewriteLine(line: string, credentials: LegCredentials): string[] {
  switch (line[0]) {
    case 'o':
      return [rewriteOrigin(line)]
    case 's':
      return [hasAddress(line) ? 's=-' : line]
    case 'c':
      return [`c=${NO_ADDRESS}`]
    case 'm':
      return [rewriteMediaLine(line)]
    case 'a':
      return rewriteAttribute(line, credentials)
    default:
      return hasAddress(line) ? [] : [line]
  }
}

function rewriteAttribute(line: string, { usernameFragment, password }: LegCredentials): string[] {
  const { name, value } = splitAttribute(line)
  if (ICE_ATTRIBUTES.has(name)) return []
  if (name === 'ice-ufrag') return [`a=ice-ufrag:${usernameFragment}`]
  if (name === 'ice-pwd') return [`a=ice-pwd:${password}`]
  // The relay takes trickled candidates without using them. It has no other option, such as renomination.
  if (name === 'ice-options') return value.split(' ').includes('trickle') ? ['a=ice-options:trickle'] : []
  if (name === 'rtcp') return [`a=rtcp:${NO_PORT} ${NO_ADDRESS}`]
  // Its bytes look like groups of an IPv6 address. The parser has checked them.
  if (name === 'fingerprint') return [line]
  return hasAddress(line) ? [] : [line]
}

/** Keeps user name, session id and version: browsers count the version. */
function rewriteOrigin(line: string): string {
  const [username = '-', id, version] = line.slice(2).split(' ')
  return `o=${hasAddress(username) ? '-' : username} ${id} ${version} ${NO_ADDRESS}`
}

/** The port 0 of a rejected or bundle-only section has a meaning and stays (RFC 9143, section 6). */
function rewriteMediaLine(line: string): string {
  const [kind, port, ...rest] = line.split(' ')
  return [kind, port === '0' ? port : NO_PORT, ...rest].join(' ')
}

/** RFC 8839, section 5.1, and RFC 6544, section 4.5. Each has a foundation of its own: they share neither address nor transport. */
function formatCandidate({ transport, address, port }: RelayCandidate, index: number): string {
  const tcpType = transport === 'tcp' ? ' tcptype passive' : ''
  const priority = candidatePriority(transport, index)
  return `a=candidate:${index + 1} ${RTP_COMPONENT} ${transport} ${priority} ${address} ${port} typ host${tcpType}`
}

/** RFC 8445, section 5.1.2.1; the local preference of TCP is that of RFC 6544, section 4.2. Earlier candidates come first. */
function candidatePriority(transport: RelayCandidate['transport'], index: number): number {
  const localPreference =
    transport === 'udp' ? 2 ** 16 - 1 - index : PASSIVE_DIRECTION_PREFERENCE * 2 ** 13 + (2 ** 13 - 1 - index)
  return TYPE_PREFERENCE[transport] * 2 ** 24 + localPreference * 2 ** 8 + (256 - RTP_COMPONENT)
}

/** IPv4; IPv6 in its short form, which has '::', or in its long form; the mDNS names of browsers. */
const ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}|::|(?:[0-9a-f]{1,4}:){7}[0-9a-f]|\.local\b/i

/** Matches more than addresses: no line of a browser that must stay has any of this. */
function hasAddress(text: string): boolean {
  return ADDRESS.test(text)
}
