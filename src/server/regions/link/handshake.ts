import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import { Decoder } from '@msgpack/msgpack'
import * as v from 'valibot'
import { isWithinBounds } from '../../../shared/protocol/bounds.ts'
import { encode } from '../../../shared/protocol/frame.ts'

/** The largest frame of a handshake, in bytes. */
export const MAX_HANDSHAKE_BYTES = 4096
/** Of the link's protocol. Ends that differ in it do not talk. */
const LINK_VERSION = 1
const NONCE_BYTES = 32

const region = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(64),
  v.check((name) => name !== 'all'), // what is said to all has that address
)
const url = v.pipe(v.string(), v.maxLength(512))
const code = v.pipe(v.number(), v.safeInteger())
const nonce = v.pipe(v.instance(Uint8Array), v.length(NONCE_BYTES))

const Challenge = v.strictTuple([v.literal(LINK_VERSION), nonce])
const SignedBody = v.strictTuple([v.instance(Uint8Array), v.instance(Uint8Array)])
const ClientHello = v.object({ nonce, region, url, code, isCandidate: v.boolean() })
const ServerHello = v.object({ region, url, code })

/** What a region says of itself when it dials: its name, where its site is, how many migrations its code knows. */
export type PeerInfo = Omit<v.InferOutput<typeof ClientHello>, 'nonce'>
export type PrimaryInfo = v.InferOutput<typeof ServerHello>

/** A key for each direction of one line: whoever relayed its handshake knows neither. */
export interface FrameKeys {
  clientToServer: KeyObject
  serverToClient: KeyObject
}

/*
 * Three frames, and no clock in them:
 *   hub:     [version, nonce]
 *   dialler: [body, HMAC(key, ['client', nonce, body])]               body: {nonce, region, url, code, isCandidate}
 *   hub:     [body, HMAC(key, ['server', nonce, dialler's body, body])]   body: {region, url, code}
 * The nonces are new each time, so a proof fits one handshake only; the roles keep one from passing for another.
 */

/** The hub's first frame, and the nonce that the answer has to cover. */
export function createChallenge(): { frame: Uint8Array; nonce: Uint8Array } {
  const nonce = randomBytes(NONCE_BYTES)
  return { frame: encode([LINK_VERSION, nonce]), nonce }
}

/** The dialler's answer to a challenge, and what it needs for judging the hub's; null when it is no challenge. */
export function answerChallenge(key: KeyObject, frame: Uint8Array, self: PeerInfo) {
  const read = v.safeParse(Challenge, decodeBounded(frame))
  if (!read.success) return null
  const [, hubNonce] = read.output
  const body = encode({ nonce: randomBytes(NONCE_BYTES), ...self })
  return { frame: encode([body, computeMac(key, ['client', hubNonce, body])]), hubNonce, body }
}

/** What the hub makes of the dialler's answer: who it is, or null when it did not prove that it knows the key. */
export function verifyClient(key: KeyObject, nonce: Uint8Array, frame: Uint8Array) {
  const read = v.safeParse(SignedBody, decodeBounded(frame))
  if (!read.success) return null
  const [body, claimed] = read.output
  if (!isEqualMac(claimed, computeMac(key, ['client', nonce, body]))) return null
  const said = v.safeParse(ClientHello, decodeBounded(body))
  return said.success ? { who: said.output, body } : null
}

/** The hub's last frame, after which both know the line's keys. */
export function createServerHello(key: KeyObject, nonce: Uint8Array, diallerBody: Uint8Array, self: PrimaryInfo) {
  const body = encode(self)
  const frame = encode([body, computeMac(key, ['server', nonce, diallerBody, body])])
  return { frame, keys: deriveFrameKeys(key, [nonce, diallerBody, body]) }
}

/** What the dialler makes of the hub's last frame; null when the hub did not prove that it knows the key. */
export function verifyServer(key: KeyObject, asked: { hubNonce: Uint8Array; body: Uint8Array }, frame: Uint8Array) {
  const read = v.safeParse(SignedBody, decodeBounded(frame))
  if (!read.success) return null
  const [body, claimed] = read.output
  if (!isEqualMac(claimed, computeMac(key, ['server', asked.hubNonce, asked.body, body]))) return null
  const said = v.safeParse(ServerHello, decodeBounded(body))
  return said.success ? { who: said.output, keys: deriveFrameKeys(key, [asked.hubNonce, asked.body, body]) } : null
}

/** Of everything that was said: HKDF (RFC 5869) from the link's key, salted with a hash of the handshake. */
function deriveFrameKeys(key: KeyObject, transcript: Uint8Array[]): FrameKeys {
  const salt = hash('sha256', encode(transcript), 'buffer')
  const derive = (direction: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', key, salt, `meydan link ${direction}`, 32)))
  return { clientToServer: derive('client to server'), serverToClient: derive('server to client') }
}

function computeMac(key: KeyObject, said: unknown[]): Uint8Array {
  return createHmac('sha256', key).update(encode(said)).digest()
}

function isEqualMac(claimed: Uint8Array, right: Uint8Array): boolean {
  return claimed.length === right.length && timingSafeEqual(claimed, right)
}

const decoder = new Decoder()

/** Strangers write this, so it is bounded before anything is allocated for it. */
function decodeBounded(bytes: Uint8Array): unknown {
  if (bytes.length > MAX_HANDSHAKE_BYTES || !isWithinBounds(bytes)) return null
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
