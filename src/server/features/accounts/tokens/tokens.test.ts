import { generateKeyPairSync } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { deriveKeys } from '../../../kernel/keys.ts'
import { signToken, type TokenPurpose, verifyToken } from './tokens.ts'

const keys = deriveKeys('a secret of more than thirty-two characters')
const otherSiteKeys = deriveKeys('the secret of another site, which is as long')
const now = 1_700_000_000_000
const claims = { userId: 42, sessionId: 2 ** 47 }
const HOUR_MS = 60 * 60 * 1000
const purposes: TokenPurpose[] = ['userToken', 'adminToken', 'cookie']

/** A valid token with the changes of an attacker. */
function forge(change: Record<string, unknown>, key: Parameters<SignJWT['sign']>[0] = keys.userToken, header = {}) {
  const seconds = now / 1000
  const validPayload = { iss: 'meydan', aud: 'meydan', sub: '42', sid: 7, iat: seconds, exp: seconds + 3600 }
  const token = new SignJWT({ ...validPayload, ...change })
  return token.setProtectedHeader({ alg: 'HS256', typ: 'JWT', ...header }).sign(key)
}

const verify = (token: string, purpose: TokenPurpose = 'userToken') =>
  verifyToken(keys, purpose, token, now, 'accepted')

describe('a token', () => {
  it('[ACC-09] carries user and session ids and is valid for an hour', async () => {
    const token = await signToken(keys, 'userToken', claims, now)
    expect(await verifyToken(keys, 'userToken', token, now)).toEqual(claims)
    expect(await verifyToken(keys, 'userToken', token, now + HOUR_MS - 1000)).toEqual(claims)
    expect(await verifyToken(keys, 'userToken', token, now + HOUR_MS)).toBeNull()
  })

  it('[ACC-11] for an admin is valid for 15 minutes', async () => {
    const token = await signToken(keys, 'adminToken', claims, now)
    expect(await verifyToken(keys, 'adminToken', token, now + HOUR_MS / 4 - 1000)).toEqual(claims)
    expect(await verifyToken(keys, 'adminToken', token, now + HOUR_MS / 4)).toBeNull()
  })

  it('[ACC-12] still yields its claims after expiry when expired tokens are accepted', async () => {
    const token = await signToken(keys, 'userToken', claims, now)
    expect(await verifyToken(keys, 'userToken', token, now + 9 * HOUR_MS, 'accepted')).toEqual(claims)
  })

  it.each([
    ['spaces in the signature', (signature: string) => ` \n${signature}`],
    ['spaces after it', (signature: string) => `${signature}${' '.repeat(100)}`],
    ['padding', (signature: string) => `${signature}=`],
  ])('[ACC-09] has one spelling: with %s it is refused', async (_, respell) => {
    const token = await signToken(keys, 'userToken', claims, now)
    const [header, payload, signature = ''] = token.split('.')
    expect(await verifyToken(keys, 'userToken', `${header}.${payload}.${respell(signature)}`, now)).toBeNull()
    expect(await verifyToken(keys, 'userToken', token, now)).toEqual(claims)
  })

  const pairs = purposes.flatMap((signedAs) =>
    purposes.filter((purpose) => purpose !== signedAs).map((purpose) => [signedAs, purpose] as const),
  )
  it.each(pairs)('[ACC-11] signed as %s is refused as %s', async (signedAs, verifiedAs) => {
    expect(await verify(await signToken(keys, signedAs, claims, now), verifiedAs)).toBeNull()
  })

  it('[ACC-09] from the forger of this test is valid while nothing is changed', async () => {
    expect(await verify(await forge({}))).toEqual({ userId: 42, sessionId: 7 })
  })

  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicPem = new TextEncoder().encode(publicKey.export({ type: 'spki', format: 'pem' }).toString())
  const seconds = now / 1000
  const attacks: [string, () => Promise<string> | string][] = [
    ['that is empty', () => ''],
    ['that is malformed', () => 'a.b.c'],
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
    ['with a truncated signature', async () => (await forge({})).replace(/[^.]+$/, '')],
    ['with a changed payload', async () => (await forge({})).replace(/\.[^.]+\./, `.${btoa('{"sub":"1","sid":1}')}.`)],
    ['of another site', () => forge({}, otherSiteKeys.userToken)],
    ['signed with a public key as the secret', () => forge({}, publicPem)],
    ['signed with another algorithm', () => forge({}, privateKey, { alg: 'RS256' })],
    ['signed with a longer hash', () => forge({}, new Uint8Array(64), { alg: 'HS512' })],
    ['of another type', () => forge({}, keys.userToken, { typ: 'at+jwt' })],
    ['of another issuer', () => forge({ iss: 'elsewhere' })],
    ['of the admin audience with the user key', () => forge({ aud: 'meydan-admin' })],
    ['without an audience', () => forge({ aud: undefined })],
    ['that never expires', () => forge({ exp: undefined })],
    ['whose expiry is text', () => forge({ exp: String(seconds + 3600) })],
    ['whose expiry is null', () => forge({ exp: null })],
    ['whose issue time is text', () => forge({ iat: 'now' })],
    ['without a user', () => forge({ sub: undefined })],
    ['of user 0', () => forge({ sub: '0' })],
    ['with a user id of letters', () => forge({ sub: 'root' })],
    ['with a user id beyond safe integers', () => forge({ sub: '9999999999999999' })],
    ['without a session', () => forge({ sid: undefined })],
    ['with a session id as text', () => forge({ sid: '7' })],
    ['with a fractional session id', () => forge({ sid: 7.5 })],
  ]
  it.each(attacks)('[ACC-09] %s is refused, also when expired tokens are accepted', async (_, make) => {
    expect(await verify(await make())).toBeNull()
  })
})
