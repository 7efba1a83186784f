import type { KeyObject } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { SESSION_LIFETIME_MS } from '../../../../shared/accounts/rules.ts'
import type { Claims } from '../../../kernel/database/transaction.ts'
import type { Keys } from '../../../kernel/keys.ts'
import { atMostEntries } from '../../../kernel/limits/at-most-entries.ts'

/** Each purpose has its own audience, key and lifetime, so that no token is valid for another purpose. */
export type TokenPurpose = keyof typeof tokenPurposes

const ISSUER = 'meydan'
const tokenPurposes = {
  userToken: { audience: 'meydan', lifetimeMs: 60 * 60 * 1000 },
  adminToken: { audience: 'meydan-admin', lifetimeMs: 15 * 60 * 1000 },
  cookie: { audience: 'meydan-cookie', lifetimeMs: SESSION_LIFETIME_MS },
} as const satisfies Record<
  Exclude<keyof Keys, 'link' | 'files' | 'device' | 'fingerprint'>,
  { audience: string; lifetimeMs: number }
>

/** Signs a token. `now` is in epoch milliseconds; the token's times are in seconds (RFC 7519). */
export function signToken(keys: Keys, purpose: TokenPurpose, claims: Claims, now: number): Promise<string> {
  const { audience, lifetimeMs } = tokenPurposes[purpose]
  return new SignJWT({ sid: claims.sessionId, ...(claims.key && { key: claims.key }) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setSubject(String(claims.userId))
    .setIssuedAt(toSeconds(now))
    .setExpirationTime(toSeconds(now + lifetimeMs))
    .sign(keys[purpose])
}

/** An expired token can be renewed for this long; after that the cookie can. */
const MAX_EXPIRED_MS = 24 * 60 * 60_000

/** A signed token is reused for this fraction of its lifetime. */
const REUSABLE_LIFETIME_FRACTION = 1 / 12
const MAX_CACHED_TOKENS = 20_000

/** Recently signed and verified tokens of one set of keys. */
interface TokenCaches {
  signed: LRUCache<string, { token: Promise<string>; at: number }>
  verified: LRUCache<string, { claims: Claims; expiresAt: number }>
}

/** A compact JWS with the tag of HMAC-SHA-256. The library also decodes other spellings of it, with spaces or padding. */
const tokenPattern = /^[\w-]{1,512}\.[\w-]{1,512}\.[\w-]{43}$/

const cachesByKeys = new WeakMap<Keys, TokenCaches>()

function cachesFor(keys: Keys): TokenCaches {
  const known = cachesByKeys.get(keys)
  if (known) return known
  const limits = atMostEntries(MAX_CACHED_TOKENS)
  const caches: TokenCaches = { signed: new LRUCache(limits), verified: new LRUCache(limits) }
  cachesByKeys.set(keys, caches)
  return caches
}

/** As `signToken`, but reuses a token signed recently for the same claims, because every rendered page carries one. */
export function reuseOrSignToken(keys: Keys, purpose: TokenPurpose, claims: Claims, now: number): Promise<string> {
  const { signed } = cachesFor(keys)
  const key = `${purpose} ${claims.userId} ${claims.sessionId} ${claims.key ?? 0}`
  const known = signed.get(key)
  if (known && Math.abs(now - known.at) < tokenPurposes[purpose].lifetimeMs * REUSABLE_LIFETIME_FRACTION)
    return known.token
  const token = signToken(keys, purpose, claims, now)
  signed.set(key, { token, at: now })
  return token
}

/**
 * The claims of a valid token of this purpose, or null. `expired: 'accepted'` ignores its expiry only, and for
 * `MAX_EXPIRED_MS` at most.
 */
export async function verifyToken(
  keys: Keys,
  purpose: TokenPurpose,
  token: string,
  now: number,
  expired: 'accepted' | 'refused' = 'refused',
): Promise<Claims | null> {
  // One spelling per token bounds the bytes of the cache.
  if (!tokenPattern.test(token)) return null
  const { verified } = cachesFor(keys)
  const known = verified.get(`${purpose} ${token}`)
  if (known && now < known.expiresAt) return known.claims
  try {
    const payload = await verifyPayload(keys[purpose], tokenPurposes[purpose].audience, token, now)
    const claims = toClaims(payload)
    if (claims) verified.set(`${purpose} ${token}`, { claims, expiresAt: (payload.exp ?? 0) * 1000 })
    return claims
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      return expired === 'accepted' && isRecentlyExpired(purpose, error.payload, now) ? toClaims(error.payload) : null
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/** `jwtVerify` checks expiry last, so an expired payload has passed every other check. */
async function verifyPayload(key: KeyObject, audience: string, token: string, now: number): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, key, {
    algorithms: ['HS256'],
    typ: 'JWT',
    issuer: ISSUER,
    audience,
    requiredClaims: ['exp', 'iat', 'sub', 'sid'],
    currentDate: new Date(now),
  })
  return payload
}

/** An admin token cannot be renewed: its expiry is ignored only to recognise it as an expired one. */
function isRecentlyExpired(purpose: TokenPurpose, { exp = 0 }: JWTPayload, now: number): boolean {
  return purpose === 'adminToken' || now - exp * 1000 <= MAX_EXPIRED_MS
}

function toClaims({ sub, sid, key = 0 }: JWTPayload): Claims | null {
  const userId = typeof sub === 'string' && /^[1-9]\d{0,15}$/.test(sub) ? Number(sub) : 0
  const sessionId = typeof sid === 'number' ? sid : 0
  const areIds = Number.isSafeInteger(userId) && userId > 0 && Number.isSafeInteger(sessionId) && sessionId > 0
  if (!areIds || typeof key !== 'number' || !Number.isSafeInteger(key) || key < 0) return null
  return { userId, sessionId, ...(key > 0 && { key }) }
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}
