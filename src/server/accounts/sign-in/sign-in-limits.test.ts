import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { PasswordHasher } from '../passwords/password-hasher.ts'
import { makeRootAdmin } from '../roles/make-root-admin.ts'
import { createSignInLimits } from './sign-in-limits.ts'

describe('limits on entering', () => {
  let api: TestApi
  const open = async (env: Record<string, string>) => {
    // Nothing comes back with time but what a test lets pass, however slow this machine is.
    vi.useFakeTimers({ toFake: ['Date'] })
    api = await openTestApi(env)
  }
  afterEach(async () => {
    await api.close()
    vi.useRealTimers()
  })
  const knock = (headers: Record<string, string> = {}) =>
    api.post('/api/users/guest-login', { username: 'admin' }, headers)
  /** Knocks until it is refused, which it is after `points` times. */
  const knockOut = async (points: number, headersOf: (i: number) => Record<string, string> = () => ({})) => {
    let passed = 0
    while ((await knock(headersOf(passed))).status === 409) passed++
    expect(passed).toBe(points)
  }

  it('[ACC-64] stop a guest who is shown anew to everyone without end, and still let them go on', async () => {
    await open({})
    const enter = (gender: string, token = '') =>
      api.post(
        '/api/users/guest-login',
        { username: 'Sardunya', gender },
        token ? { authorization: `Bearer ${token}` } : {},
      )
    const token = String((await enter('male')).body.token)
    for (let turn = 0; turn < 30; turn++) expect((await enter(turn % 2 ? 'male' : 'female', token)).status).toBe(200)
    expect(await enter('female', token)).toMatchObject({ status: 429, body: { code: 'RateLimited' } })
    expect(await enter('male', token)).toMatchObject({ status: 200, body: { user: { gender: 'male' } } })
    api.region.clockOffset.aheadMs += 10_000
    expect(await enter('female', token)).toMatchObject({ status: 200, body: { user: { gender: 'female' } } })
  })

  it('[ACC-15] [ACC-16] stop an address after 60 entries a minute, whatever it says to be forwarded for', async () => {
    await open({})
    const forged = (i: number) => ({
      'x-forwarded-for': `198.51.100.${i}`,
      'x-real-ip': `198.51.100.${i}`,
      forwarded: `for=198.51.100.${i}`,
    })
    await knockOut(60, forged)
    const { status, body, headers } = await knock()
    expect(status).toBe(429)
    expect(body.code).toBe('RateLimited')
    expect(body.waitMs).toBeGreaterThan(0)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    api.region.clockOffset.aheadMs = 60_000
    expect((await knock()).status).toBe(409)
  })

  it('[ACC-16] tell addresses apart behind a proxy that the settings name, and still see through a forged start', async () => {
    await open({ MEYDAN_TRUSTED_PROXIES: '127.0.0.1' })
    const through = (i: number) => ({ 'x-forwarded-for': `198.51.100.${i}, 203.0.113.5` })
    await knockOut(60, through)
    expect((await knock({ 'x-forwarded-for': '203.0.113.6' })).status).toBe(409)
    expect((await knock({ 'x-forwarded-for': '203.0.113.5' })).status).toBe(429)
  })

  it('[ACC-36] stop who registers without end, whatever it says to be forwarded for, before any hash', async () => {
    await open({})
    const fields = { username: 'admin', password: 'dört kuş uçtu', age: 30, termsAccepted: true }
    const tries = (i: number) =>
      api.post('/api/users/register', fields, { 'x-forwarded-for': `198.51.100.${i}` }).then(({ body }) => body.code)
    const codes = await Promise.all(Array.from({ length: 40 }, (_, i) => tries(i)))
    expect(codes.filter((code) => code === 'UsernameReserved')).toHaveLength(30)
    expect(codes.filter((code) => code === 'RateLimited')).toHaveLength(10)
    expect(api.passwords.computedCount).toBe(30)
  })

  it('[ACC-15] are raised by a setting', async () => {
    await open({ MEYDAN_LIMIT_SCALE: '2' })
    await knockOut(120)
  })

  it('[ACC-15] slow guessing down after 5 wrong passwords, also for names that nobody holds', async () => {
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
    // The right one counted for nothing, so the one try that a minute gave back is still there.
    expect((await login('Kaptan', 'dört kuş uçtu')).status).toBe(200)
  }, 20_000)
})

describe('failures', () => {
  let now = 0
  beforeEach(() => {
    now = 1_700_000_000_000
  })
  const limits = () => createSignInLimits({ limitScale: 1 }, () => now)

  it('[ACC-15] from one address leave the owner at another one alone', () => {
    const entry = limits()
    while (entry.consumePasswordAttempt('kaptan', '198.51.100.1') === 0);
    expect(entry.consumePasswordAttempt('kaptan', '203.0.113.5')).toBe(0)
  })

  it('[ACC-15] from everywhere slow the name down, but not where its owner has signed in', () => {
    const entry = limits()
    entry.consumePasswordAttempt('kaptan', '203.0.113.5')
    entry.recordPasswordSuccess('kaptan', '203.0.113.5')
    let tries = 0
    for (let i = 0; entry.consumePasswordAttempt('kaptan', `198.51.100.${i}`) === 0; i++) tries++
    expect(tries).toBe(50)
    expect(entry.consumePasswordAttempt('kaptan', '198.51.100.200')).toBeGreaterThan(0)
    expect(entry.consumePasswordAttempt('kaptan', '203.0.113.5')).toBe(0)
    expect(entry.consumePasswordAttempt('reis', '198.51.100.200')).toBe(0)
    now += 6000
    expect(entry.consumePasswordAttempt('kaptan', '198.51.100.200')).toBe(0)
  })

  it('[ACC-15] are not counted for who gets the password right, however often', () => {
    const entry = limits()
    for (let i = 0; i < 200; i++) {
      expect(entry.consumePasswordAttempt('kaptan', `203.0.113.${i % 2}`)).toBe(0)
      entry.recordPasswordSuccess('kaptan', `203.0.113.${i % 2}`)
    }
  })

  it('[ACC-15] count IPv6 by /64, and not at all when the password was never tried', () => {
    const entry = limits()
    for (let i = 0; i < 5; i++) expect(entry.consumePasswordAttempt('kaptan', `2001:db8::${i}`)).toBe(0)
    expect(entry.consumePasswordAttempt('kaptan', '2001:db8::9')).toBeGreaterThan(0)
    entry.refundPasswordAttempt('kaptan', '2001:db8::1')
    expect(entry.consumePasswordAttempt('kaptan', '2001:db8::9')).toBe(0)
  })

  it('[ACC-36] let 30 people register from one address within a minute, and raise it by the setting', () => {
    for (const scale of [1, 3]) {
      const entry = createSignInLimits({ limitScale: scale }, () => now)
      let made = 0
      while (entry.consumeSignUp('203.0.113.5') === 0) made++
      expect(made).toBe(30 * scale)
      expect(entry.consumeSignUp('203.0.113.6')).toBe(0)
      expect(entry.consumeSignIn('203.0.113.5')).toBe(0)
    }
  })

  it('[ACC-16] of looking names up have a limit of their own', () => {
    const entry = limits()
    for (let i = 0; i < 120; i++) expect(entry.consumeNameLookup('203.0.113.5')).toBe(0)
    expect(entry.consumeNameLookup('203.0.113.5')).toBeGreaterThan(0)
    expect(entry.consumeSignIn('203.0.113.5')).toBe(0)
  })
})
