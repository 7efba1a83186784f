import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestApi, type TestApi } from '../../../testing/fixtures/test-api.ts'
import { PasswordHasher } from '../passwords/password-hasher.ts'
import { makeRootAdmin } from '../roles/make-root-admin.ts'
import { createSignInLimits } from './sign-in-limits.ts'

describe('rate limits of the sign-in routes', () => {
  let api: TestApi
  const open = async (env: Record<string, string>) => {
    // Buckets refill only when a test advances the clock, however slow this machine is.
    vi.useFakeTimers({ toFake: ['Date'] })
    api = await openTestApi(env)
  }
  afterEach(async () => {
    await api.close()
    vi.useRealTimers()
  })
  const attemptSignIn = (headers: Record<string, string> = {}) =>
    api.post('/api/users/guest-login', { username: 'admin' }, headers)
  /** Attempts until refused, and expects `points` attempts before that. */
  const exhaustLimit = async (points: number, headersOf: (i: number) => Record<string, string> = () => ({})) => {
    let passed = 0
    while ((await attemptSignIn(headersOf(passed))).status === 409) passed++
    expect(passed).toBe(points)
  }

  it('[ACC-64] refuse a guest’s 31st gender change, but not a sign-in with the same gender', async () => {
    await open({})
    const signInAs = (gender: string, token = '') =>
      api.post(
        '/api/users/guest-login',
        { username: 'Sardunya', gender },
        token ? { authorization: `Bearer ${token}` } : {},
      )
    const token = String((await signInAs('male')).body.token)
    for (let turn = 0; turn < 30; turn++) expect((await signInAs(turn % 2 ? 'male' : 'female', token)).status).toBe(200)
    expect(await signInAs('female', token)).toMatchObject({ status: 429, body: { code: 'RateLimited' } })
    expect(await signInAs('male', token)).toMatchObject({ status: 200, body: { user: { gender: 'male' } } })
    api.region.clockOffset.aheadMs += 10_000
    expect(await signInAs('female', token)).toMatchObject({ status: 200, body: { user: { gender: 'female' } } })
  })

  it('[ACC-15] [ACC-16] refuse an address after 60 sign-ins a minute, whatever its forwarding headers say', async () => {
    await open({})
    const forged = (i: number) => ({
      'x-forwarded-for': `198.51.100.${i}`,
      'x-real-ip': `198.51.100.${i}`,
      forwarded: `for=198.51.100.${i}`,
    })
    await exhaustLimit(60, forged)
    const { status, body, headers } = await attemptSignIn()
    expect(status).toBe(429)
    expect(body.code).toBe('RateLimited')
    expect(body.waitMs).toBeGreaterThan(0)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    api.region.clockOffset.aheadMs = 60_000
    expect((await attemptSignIn()).status).toBe(409)
  })

  it('[ACC-16] count by client address behind a trusted proxy and ignore forged leading addresses', async () => {
    await open({ MEYDAN_TRUSTED_PROXIES: '127.0.0.1' })
    const through = (i: number) => ({ 'x-forwarded-for': `198.51.100.${i}, 203.0.113.5` })
    await exhaustLimit(60, through)
    expect((await attemptSignIn({ 'x-forwarded-for': '203.0.113.6' })).status).toBe(409)
    expect((await attemptSignIn({ 'x-forwarded-for': '203.0.113.5' })).status).toBe(429)
  })

  it('[ACC-36] refuse the 31st sign-up of an address before any hash, whatever its forwarding headers say', async () => {
    await open({})
    const fields = { username: 'admin', password: 'dört kuş uçtu', age: 30, termsAccepted: true }
    const attemptSignUp = (i: number) =>
      api.post('/api/users/register', fields, { 'x-forwarded-for': `198.51.100.${i}` }).then(({ body }) => body.code)
    const codes: unknown[] = []
    // One after another: on a busy machine the last of many hashes would wait too long and be refused as Busy.
    for (let i = 0; i < 40; i++) codes.push(await attemptSignUp(i))
    expect(codes.filter((code) => code === 'UsernameReserved')).toHaveLength(30)
    expect(codes.filter((code) => code === 'RateLimited')).toHaveLength(10)
    expect(api.passwords.computedCount).toBe(30)
  })

  it('[ACC-15] are multiplied by MEYDAN_LIMIT_SCALE', async () => {
    await open({ MEYDAN_LIMIT_SCALE: '2' })
    await exhaustLimit(120)
  })

  it('[ACC-15] refuse a sixth wrong password, also for an unknown name', async () => {
    await open({})
    const passwordHash = String(await new PasswordHasher().hash('dört kuş uçtu'))
    await api.region.appContext.execute(makeRootAdmin, null, { username: 'Kaptan', passwordHash })
    const login = (username: string, password: string) => api.post('/api/users/login', { username, password })
    for (const username of ['Kaptan', 'yok_böyle_biri']) {
      for (let i = 0; i < 5; i++) expect((await login(username, 'yanlış')).body).toMatchObject({ code: 'LoginFailed' })
      const before = api.passwords.computedCount
      const { status, body } = await login(username.toUpperCase(), 'yanlış')
      expect(status).toBe(429)
      expect(body).toMatchObject({ code: 'RateLimited', waitMs: expect.any(Number) })
      expect(api.passwords.computedCount).toBe(before)
    }
    api.region.clockOffset.aheadMs = 60_000
    expect((await login('Kaptan', 'dört kuş uçtu')).status).toBe(200)
    // A right password consumes nothing, so the one attempt refilled in a minute is still available.
    expect((await login('Kaptan', 'dört kuş uçtu')).status).toBe(200)
  }, 20_000)
})

describe('createSignInLimits', () => {
  let now = 0
  beforeEach(() => {
    now = 1_700_000_000_000
  })
  const createLimits = () => createSignInLimits({ limitScale: 1 }, () => now)

  type Limits = ReturnType<typeof createLimits>
  const tryPassword = (limits: Limits, address: string, device: string | null = null) =>
    limits.attemptPassword({ foldedName: 'kaptan', address, device })
  /** Wrong passwords until one has to wait. */
  const countFailures = (attempt: (i: number) => { waitMs: number }) => {
    let failures = 0
    while (attempt(failures).waitMs === 0) failures++
    return failures
  }

  it('[ACC-15] does not lock a name at one address for failures at another', () => {
    const limits = createLimits()
    expect(countFailures(() => tryPassword(limits, '198.51.100.1'))).toBe(5)
    expect(tryPassword(limits, '203.0.113.5').waitMs).toBe(0)
  })

  it('[ACC-15] limits a name over all addresses', () => {
    const limits = createLimits()
    expect(countFailures((i) => tryPassword(limits, `198.51.100.${i}`))).toBe(50)
    expect(limits.attemptPassword({ foldedName: 'reis', address: '198.51.100.200', device: null }).waitMs).toBe(0)
    now += 6000
    expect(tryPassword(limits, '198.51.100.200').waitMs).toBe(0)
  })

  it('[ACC-92] counts a familiar device by itself, and not with strangers at its address or elsewhere', () => {
    const limits = createLimits()
    countFailures(() => tryPassword(limits, '203.0.113.5'))
    countFailures((i) => tryPassword(limits, `198.51.100.${i}`))
    while (limits.consumeSignIn('203.0.113.5') === 0);
    expect(tryPassword(limits, '203.0.113.5', 'phone')).toMatchObject({ waitMs: 0, isFamiliar: true })
    expect(limits.consumeSignIn('203.0.113.5', 'kaptan')).toBe(0)
    expect(limits.consumeSignIn('203.0.113.5')).toBeGreaterThan(0)
  })

  it('[ACC-93] limits a copied cookie to 5 wrong passwords, and then as a stranger, without locking another device', () => {
    const limits = createLimits()
    for (let i = 0; i < 5; i++) expect(tryPassword(limits, `198.51.100.${i}`, 'copied').isFamiliar).toBe(true)
    expect(countFailures((i) => tryPassword(limits, `198.51.100.${i}`, 'copied'))).toBe(50)
    expect(tryPassword(limits, '203.0.113.5', 'copied').waitMs).toBeGreaterThan(0)
    expect(tryPassword(limits, '203.0.113.5', 'phone').waitMs).toBe(0)
    let signIns = 0
    while (limits.consumeSignIn('203.0.113.9', 'kaptan') === 0) signIns++
    expect(signIns).toBe(120) // 60 of the account, and 60 of the address
  })

  it('[ACC-15] never limits right passwords', () => {
    const limits = createLimits()
    for (let i = 0; i < 200; i++) {
      const attempt = tryPassword(limits, `203.0.113.${i % 2}`, i % 3 ? null : 'phone')
      expect(attempt.waitMs).toBe(0)
      attempt.refund()
    }
  })

  it('[ACC-15] counts IPv6 addresses by /64 and refunds an attempt that was not verified', () => {
    const limits = createLimits()
    const attempts = Array.from({ length: 5 }, (_, i) => tryPassword(limits, `2001:db8::${i}`))
    expect(attempts.map(({ waitMs }) => waitMs)).toEqual([0, 0, 0, 0, 0])
    expect(tryPassword(limits, '2001:db8::9').waitMs).toBeGreaterThan(0)
    attempts[1]?.refund()
    expect(tryPassword(limits, '2001:db8::9').waitMs).toBe(0)
  })

  it('[ACC-36] allows 30 sign-ups a minute per address, multiplied by the setting', () => {
    for (const scale of [1, 3]) {
      const limits = createSignInLimits({ limitScale: scale }, () => now)
      let signUps = 0
      while (limits.consumeSignUp('203.0.113.5') === 0) signUps++
      expect(signUps).toBe(30 * scale)
      expect(limits.consumeSignUp('203.0.113.6')).toBe(0)
      expect(limits.consumeSignIn('203.0.113.5')).toBe(0)
    }
  })

  it('[ACC-16] limits name lookups separately from sign-ins', () => {
    const limits = createLimits()
    for (let i = 0; i < 120; i++) expect(limits.consumeNameLookup('203.0.113.5')).toBe(0)
    expect(limits.consumeNameLookup('203.0.113.5')).toBeGreaterThan(0)
    expect(limits.consumeSignIn('203.0.113.5')).toBe(0)
  })
})
