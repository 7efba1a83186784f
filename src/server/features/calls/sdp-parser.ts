import { MAX_SDP_LENGTH } from '../../../shared/calls/limits.ts'

/** A description of a call, checked; the lines are as they came, without their ends. */
export interface ParsedDescription {
  session: readonly string[]
  media: readonly MediaSection[]
  /** The mids of the bundle; the transport of all is that of the first (RFC 9143, section 7.1.1). */
  bundled: readonly string[]
}

export interface MediaSection {
  mid: string
  lines: readonly string[]
  /** An answerer rejects a section by the port 0; in an offer a bundle-only section has it too. */
  isRejected: boolean
}

export type DescriptionType = 'offer' | 'answer'
type Refused = { refused: string }

/** Chromium's longest offers have 170 lines. */
const MAX_LINES = 600
const MAX_LINE_LENGTH = 1024

/** Printable ASCII: browsers write nothing else, and control characters could end a line for another parser. */
const OTHER_THAN_TEXT = /[^\x20-\x7e]/
/** RFC 8866, section 9. Lines of other types (keys, mail addresses, repeat times) are not in browsers' descriptions. */
const LINE_FORMS: Record<string, RegExp> = {
  t: /^t=\d{1,20} \d{1,20}$/,
  b: /^b=[A-Za-z0-9-]{1,20}:\d{1,10}$/,
  c: /^c=IN IP[46] \S+$/,
  a: /^a=[a-z0-9-]{1,64}(?::.*)?$/,
}
const ORIGIN = /^o=\S+ \d{1,20} \d{1,20} IN IP[46] \S+$/
const MEDIA_LINE = /^m=(audio|video) (\d{1,5}) UDP\/TLS\/RTP\/SAVPF(?: \d{1,3})+$/

/** Values of attributes that a call relies on. */
const ATTRIBUTE_FORMS: Record<string, RegExp> = {
  mid: /^[\w-]{1,16}$/,
  group: /^BUNDLE(?: [\w-]{1,16})+$/,
  // RFC 8839, section 5.4.
  'ice-ufrag': /^[A-Za-z0-9+/]{4,256}$/,
  'ice-pwd': /^[A-Za-z0-9+/]{22,256}$/,
  'rtcp-mux': /^$/,
}
/** RFC 5763, section 5, and RFC 8842, section 5: an offer leaves the choice open or keeps the role that it has. */
const SETUP_ROLES = { offer: ['actpass', 'active', 'passive'], answer: ['active', 'passive'] }
/** RFC 8122, section 5. Weaker hashes could be forged. */
const FINGERPRINT = /^(sha-256|sha-384|sha-512) ([0-9a-f]{2}(?::[0-9a-f]{2})*)$/i
const HASH_BYTES: Record<string, number> = { 'sha-256': 32, 'sha-384': 48, 'sha-512': 64 }

/** Attributes that stand at most once in a section. */
const SINGLE_ATTRIBUTES = ['mid', 'setup', 'ice-ufrag', 'ice-pwd', 'rtcp-mux', 'group']
/** What each accepted section needs, in itself or for the whole session. */
const TRANSPORT_ATTRIBUTES = ['ice-ufrag', 'ice-pwd', 'fingerprint', 'setup']

/** Checks that it is the description of a call: one bundle of an audio and a video section at most, over DTLS-SRTP. */
export function parseDescription(sdp: string, type: DescriptionType): ParsedDescription | Refused {
  const lines = splitLines(sdp)
  if ('refused' in lines) return lines
  const blocks = splitBlocks(lines)
  const [session = [], ...sections] = blocks
  const refused = checkSession(session) ?? findFirst(blocks, (block) => checkBlock(block, type))
  if (refused) return { refused }
  const sessionAttributes = countAttributes(session)
  const media = sections.map((section) => readSection(section, type))
  const bundled = readBundle(session)
  const fault =
    checkMedia(media) ??
    checkBundle(media, bundled) ??
    findFirst(media, (section) => checkTransport(section, sessionAttributes)) ??
    checkFingerprints(lines)
  return fault ? { refused: fault } : { session, media, bundled }
}

/** Splits at LF or CRLF. */
function splitLines(sdp: string): string[] | Refused {
  if (sdp.length > MAX_SDP_LENGTH) return { refused: 'too long' }
  const lines = sdp.split('\n', MAX_LINES + 2).map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  if (lines.at(-1) === '') lines.pop()
  if (lines.length > MAX_LINES) return { refused: 'too many lines' }
  if (lines.some((line) => line.length > MAX_LINE_LENGTH)) return { refused: 'a line is too long' }
  if (lines.some((line) => OTHER_THAN_TEXT.test(line))) return { refused: 'not printable ASCII' }
  return lines
}

/** The session's lines, then those of each media section. */
function splitBlocks(lines: string[]): string[][] {
  const blocks: string[][] = [[]]
  for (const line of lines) {
    if (line.startsWith('m=')) blocks.push([])
    blocks.at(-1)?.push(line)
  }
  return blocks
}

function checkSession([version, origin, name]: string[]): string | null {
  if (version !== 'v=0') return 'not version 0'
  if (!origin || !ORIGIN.test(origin)) return 'no valid origin'
  return name?.startsWith('s=') ? null : 'no session name'
}

/** Checks the form of each line of a session or section after its first lines. */
function checkBlock(block: string[], type: DescriptionType): string | null {
  const isMedia = block[0]?.startsWith('m=')
  if (isMedia && !MEDIA_LINE.test(block[0] ?? '')) return 'a section that is not of a call'
  const lines = block.slice(isMedia ? 1 : 3)
  const counts = countAttributes(lines)
  if (SINGLE_ATTRIBUTES.some((name) => (counts.get(name) ?? 0) > 1)) return 'a repeated attribute'
  if (isMedia && counts.has('group')) return 'a group in a section'
  return findFirst(lines, (line) => checkLine(line, type))
}

function checkLine(line: string, type: DescriptionType): string | null {
  if (!LINE_FORMS[line[0] ?? '']?.test(line)) return 'an unknown line'
  if (!line.startsWith('a=')) return null
  const { name, value } = splitAttribute(line)
  // Its keys would let the server listen (RFC 8826, section 4.3.1, forbids it too).
  if (name === 'crypto') return 'keys in the description'
  if (name === 'setup') return SETUP_ROLES[type].includes(value) ? null : 'no valid setup role'
  if (name === 'fingerprint') return isStrongFingerprint(value) ? null : 'no strong fingerprint'
  return ATTRIBUTE_FORMS[name]?.test(value) === false ? `no valid ${name}` : null
}

function isStrongFingerprint(value: string): boolean {
  const [, hash = '', digest = ''] = FINGERPRINT.exec(value) ?? []
  return HASH_BYTES[hash.toLowerCase()] === (digest.length + 1) / 3
}

function readSection(lines: string[], type: DescriptionType): MediaSection {
  const isBundleOnly = type === 'offer' && lines.includes('a=bundle-only')
  const isPortZero = Number(MEDIA_LINE.exec(lines[0] ?? '')?.[2]) === 0
  const mid = lines.find((line) => line.startsWith('a=mid:'))?.slice('a=mid:'.length) ?? ''
  return { mid, lines, isRejected: isPortZero && !isBundleOnly }
}

function readBundle(session: string[]): string[] {
  const group = session.find((line) => line.startsWith('a=group:'))
  return group?.split(' ').slice(1) ?? []
}

function checkMedia(media: MediaSection[]): string | null {
  if (media.length === 0) return 'no section'
  const kinds = media.map(({ lines }) => lines[0]?.split(' ', 1)[0])
  if (new Set(kinds).size < kinds.length) return 'two sections of one kind'
  if (media.some(({ mid }) => mid === '')) return 'a section without a mid'
  return new Set(media.map(({ mid }) => mid)).size < media.length ? 'a repeated mid' : null
}

/** Everything that is not rejected is in the bundle, whose first section has a port of its own. */
function checkBundle(media: MediaSection[], bundled: string[]): string | null {
  const accepted = media.filter(({ isRejected }) => !isRejected)
  const isSame =
    bundled.length === accepted.length && accepted.every(({ mid }) => bundled.includes(mid)) && accepted.length > 0
  if (!isSame) return 'not one bundle'
  const first = media.find(({ mid }) => mid === bundled[0])
  return first?.lines[0]?.split(' ')[1] === '0' ? 'a bundle without a port' : null
}

function checkTransport({ lines, isRejected }: MediaSection, session: Map<string, number>): string | null {
  if (isRejected) return null
  const own = countAttributes(lines)
  if (!own.has('rtcp-mux')) return 'no rtcp-mux'
  const missing = TRANSPORT_ATTRIBUTES.find((name) => !own.has(name) && !session.has(name))
  return missing ? `no ${missing}` : null
}

/** One bundle is one DTLS association with one certificate, which the security code of the call is made of. */
function checkFingerprints(lines: string[]): string | null {
  const fingerprints = lines.filter((line) => line.startsWith('a=fingerprint:')).map((line) => line.toLowerCase())
  return new Set(fingerprints).size === 1 ? null : 'more than one fingerprint'
}

function countAttributes(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of lines) {
    if (!line.startsWith('a=')) continue
    const { name } = splitAttribute(line)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

/** The first reason that a check gives. */
function findFirst<T>(items: readonly T[], check: (item: T) => string | null): string | null {
  for (const item of items) {
    const reason = check(item)
    if (reason) return reason
  }
  return null
}

/** The name and value of `a=name:value`; the value is empty for a flag. */
export function splitAttribute(line: string): { name: string; value: string } {
  const colon = line.indexOf(':')
  if (colon < 0) return { name: line.slice(2), value: '' }
  return { name: line.slice(2, colon), value: line.slice(colon + 1) }
}
