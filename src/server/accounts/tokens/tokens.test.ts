import { generateKeyPairSync } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { deriveKeys } from './keys.ts'
import { signToken, type TokenPurpose, verifyToken } from './tokens.ts'

const keys = deriveKeys('a secret of more than thirty-two characters')
const otherSiteKeys = deriveKeys('the secret of another site, which is as long')
const now = 1_700_000_000_000
const claims = { userId: 42, sessionId: 2 ** 47 }
const HOUR_MS = 60 * 60 * 1000
const purposes: TokenPurpose[] = ['userToken', 'adminToken', 'cookie']

/** A token as ours, but for what an attacker changes. */
function forge(change: Record<string, unknown>, key: Parameters<SignJWT['sign']>[0] = keys.userToken, header = {}) {
  const seconds = now / 1000
  const ours = { iss: 'meydan', aud: 'meydan', sub: '42', sid: 7, iat: seconds, exp: seconds + 3600 }
  const token = new SignJWT({ ...ours, ...change })
  return token.setProtectedHeader({ alg: 'HS256', typ: 'JWT', ...header }).sign(key)
}

const verify = (token: string, purpose: TokenPurpose = 'userToken') =>
  verifyToken(keys, purpose, token, now, 'accepted')

describe('a token', () => {
  it('[ACC-09] says who and through which session, for an hour', async () => {
    const token = await signToken(keys, 'userToken', claims, now)
    expect(await verifyToken(keys, 'userToken', token, now)).toEqual(claims)
    expect(await verifyToken(keys, 'userToken', token, now + HOUR_MS - 1000)).toEqual(claims)
    expect(await verifyToken(keys, 'userToken', token, now + HOUR_MS)).toBeNull()
  })

  it('[ACC-11] of a root admin lives for 15 minutes', async () => {
    const token = await signToken(keys, 'adminToken', claims, now)
    expect(await verifyToken(keys, 'adminToken', token, now + HOUR_MS / 4 - 1000)).toEqual(claims)
    expect(await verifyToken(keys, 'adminToken', token, now + HOUR_MS / 4)).toBeNull()
  })

  it('[ACC-12] that has expired still says who, where that is asked', async () => {
    const token = await signToken(keys, 'userToken', claims, now)
    expect(await verifyToken(keys, 'userToken', token, now + 9 * HOUR_MS, 'accepted')).toEqual(claims)
  })

  const pairs = purposes.flatMap((made) =>
    purposes.filter((asked) => asked !== made).map((asked) => [made, asked] as const),
  )
  it.each(pairs)('[ACC-11] made as %s does not pass for %s', async (made, asked) => {
    expect(await verify(await signToken(keys, made, claims, now), asked)).toBeNull()
  })

  it('[ACC-09] is taken as forged below when nothing is changed', async () => {
    expect(await verify(await forge({}))).toEqual({ userId: 42, sessionId: 7 })
  })

  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicPem = new TextEncoder().encode(publicKey.export({ type: 'spki', format: 'pem' }).toString())
  const seconds = now / 1000
  const attacks: [string, () => Promise<string> | string][] = [
    ['that is empty', () => ''],
    ['that is no token', () => 'a.b.c'],
    [
      'without a signature',
      () =>
        new UnsecuredJWT({ sub: '42', sid: 7 })
          .setIssuer('meydan')
          .setAudience('meydan')
          .setExpirationTime(seconds + 60)
          .setIssuedAt(seconds)
          .encode(),
    ],
    ['whose signature was cut off', async () => (await forge({})).replace(/[^.]+$/, '')],
    [
      'whose content was changed',
      async () => (await forge({})).replace(/\.[^.]+\./, `.${btoa('{"sub":"1","sid":1}')}.`),
    ],
    ['of another site', () => forge({}, otherSiteKeys.userToken)],
    ['signed with a public key as the secret', () => forge({}, publicPem)],
    ['of another algorithm', () => forge({}, privateKey, { alg: 'RS256' })],
    ['of a longer hash', () => forge({}, new Uint8Array(64), { alg: 'HS512' })],
    ['of another type', () => forge({}, keys.userToken, { typ: 'at+jwt' })],
    ['of another issuer', () => forge({ iss: 'elsewhere' })],
    ['of the admin audience with the user key', () => forge({ aud: 'meydan-admin' })],
    ['without an audience', () => forge({ aud: undefined })],
    ['that never expires', () => forge({ exp: undefined })],
    ['that expires at a text', () => forge({ exp: String(seconds + 3600) })],
    ['that expires at null', () => forge({ exp: null })],
    ['that was made at a text', () => forge({ iat: 'now' })],
    ['of nobody', () => forge({ sub: undefined })],
    ['of user 0', () => forge({ sub: '0' })],
    ['of a user in words', () => forge({ sub: 'root' })],
    ['of a user beyond numbers', () => forge({ sub: '9999999999999999' })],
    ['without a session', () => forge({ sid: undefined })],
    ['of a session in text', () => forge({ sid: '7' })],
    ['of half a session', () => forge({ sid: 7.5 })],
  ]
  it.each(attacks)('[ACC-09] %s is refused, even where an expired one is accepted', async (_, make) => {
    expect(await verify(await make())).toBeNull()
  })
})
