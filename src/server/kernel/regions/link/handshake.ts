import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import { Decoder } from '@msgpack/msgpack'
import * as v from 'valibot'
import { isWithinBounds } from '../../../../shared/protocol/bounds.ts'
import { encode } from '../../../../shared/protocol/frame.ts'

/** The largest frame of a handshake, in bytes. */
export const MAX_HANDSHAKE_BYTES = 4096
/** The version of the link's protocol. Ends with different versions do not link. */
const LINK_VERSION = 2
const NONCE_BYTES = 32

const region = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(64),
  v.check((name) => name !== 'all'), // the address of a relay to all regions
)
const url = v.pipe(v.string(), v.maxLength(512))
const migrationCount = v.pipe(v.number(), v.safeInteger())
const nonce = v.pipe(v.instance(Uint8Array), v.length(NONCE_BYTES))

const Challenge = v.strictTuple([v.literal(LINK_VERSION), nonce])
const SignedBody = v.strictTuple([v.instance(Uint8Array), v.instance(Uint8Array)])
const ClientHello = v.object({ nonce, region, url, migrationCount, isCandidate: v.boolean() })
const ServerHello = v.object({ region, url, migrationCount })

/** A replica's introduction: its name, the URL of its site, how many migrations its code has. */
export type PeerInfo = Omit<v.InferOutput<typeof ClientHello>, 'nonce'>
export type PrimaryInfo = v.InferOutput<typeof ServerHello>

/*
 * Three frames, independent of any clock:
 *   server: [version, nonce]
 *   client: [body, HMAC(key, ['client', nonce, body])]                body: {nonce, region, url, migrationCount, isCandidate}
 *   server: [body, HMAC(key, ['server', nonce, client's body, body])]  body: {region, url, migrationCount}
 * Both nonces are new each time, so a proof is valid for one handshake only; the role in it keeps a proof from being
 * sent back to its maker.
 */

/** The server's first frame, and the nonce that the client's proof has to cover. */
export function createChallenge(): { frame: Uint8Array; nonce: Uint8Array } {
  const nonce = randomBytes(NONCE_BYTES)
  return { frame: encode([LINK_VERSION, nonce]), nonce }
}

/** What the client keeps of its answer, to verify the server's. */
export interface ClientProof {
  frame: Uint8Array
  serverNonce: Uint8Array
  body: Uint8Array
}

/** The client's answer to a challenge; null when the frame is not a challenge of this version. */
export function answerChallenge(key: KeyObject, frame: Uint8Array, self: PeerInfo): ClientProof | null {
  const read = v.safeParse(Challenge, decodeBounded(frame))
  if (!read.success) return null
  const [, serverNonce] = read.output
  const body = encode({ nonce: randomBytes(NONCE_BYTES), ...self })
  return { frame: encode([body, computeMac(key, ['client', serverNonce, body])]), serverNonce, body }
}

/** Who the client is; null when it did not prove that it knows the key. */
export function verifyClient(
  key: KeyObject,
  serverNonce: Uint8Array,
  frame: Uint8Array,
): { peer: PeerInfo; body: Uint8Array } | null {
  const read = v.safeParse(SignedBody, decodeBounded(frame))
  if (!read.success) return null
  const [body, mac] = read.output
  if (!isEqualMac(mac, computeMac(key, ['client', serverNonce, body]))) return null
  const hello = v.safeParse(ClientHello, decodeBounded(body))
  return hello.success ? { peer: hello.output, body } : null
}

/** The server's last frame, which proves that it knows the key too. */
export function createServerHello(
  key: KeyObject,
  serverNonce: Uint8Array,
  clientBody: Uint8Array,
  self: PrimaryInfo,
): Uint8Array {
  const body = encode(self)
  return encode([body, computeMac(key, ['server', serverNonce, clientBody, body])])
}

/** Who the server is; null when it did not prove that it knows the key. */
export function verifyServer(
  key: KeyObject,
  sent: Pick<ClientProof, 'serverNonce' | 'body'>,
  frame: Uint8Array,
): PrimaryInfo | null {
  const read = v.safeParse(SignedBody, decodeBounded(frame))
  if (!read.success) return null
  const [body, mac] = read.output
  if (!isEqualMac(mac, computeMac(key, ['server', sent.serverNonce, sent.body, body]))) return null
  const hello = v.safeParse(ServerHello, decodeBounded(body))
  return hello.success ? hello.output : null
}

function computeMac(key: KeyObject, parts: unknown[]): Uint8Array {
  return createHmac('sha256', key).update(encode(parts)).digest()
}

function isEqualMac(claimed: Uint8Array, expected: Uint8Array): boolean {
  return claimed.length === expected.length && timingSafeEqual(claimed, expected)
}

const decoder = new Decoder()

/** An unauthenticated peer wrote these bytes, so they are bounded before anything is allocated for them. */
function decodeBounded(bytes: Uint8Array): unknown {
  if (bytes.length > MAX_HANDSHAKE_BYTES || !isWithinBounds(bytes)) return null
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
