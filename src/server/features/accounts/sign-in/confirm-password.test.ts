import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestApi, type TestApi } from '../../../testing/fixtures/test-api.ts'
import { PasswordHasher } from '../passwords/password-hasher.ts'
import { makeRootAdmin } from '../roles/make-root-admin.ts'
import { verifyToken } from '../tokens/tokens.ts'

const PASSWORD = 'dört kuş uçtu'

describe('POST /users/confirm-password', () => {
  let api: TestApi
  beforeEach(async () => {
    // The buckets of attempts do not refill, however slow this machine is.
    vi.useFakeTimers({ toFake: ['Date'] })
    api = await openTestApi()
  })
  afterEach(async () => {
    await api.close()
    vi.useRealTimers()
  })

  const confirm = (token: unknown, password: string) =>
    api.post('/api/users/confirm-password', { password }, { authorization: `Bearer ${token}` })
  const logIn = () => api.post('/api/users/login', { username: 'Kaptan', password: PASSWORD })
  async function makeAdmin(): Promise<unknown> {
    const passwordHash = String(await new PasswordHasher().hash(PASSWORD))
    await api.region.appContext.execute(makeRootAdmin, null, { username: 'Kaptan', passwordHash })
    return (await logIn()).body.token
  }

  it('[ACC-99] gives a root admin an admin token of the same session for the password alone', async () => {
    const token = await makeAdmin()
    const { keys, clock } = api.region.appContext
    const { status, body } = await confirm(token, PASSWORD)
    expect([status, Object.keys(body)]).toEqual([200, ['success', 'adminToken']])
    const { userId, sessionId } = (await verifyToken(keys, 'userToken', String(token), clock())) ?? {}
    const claims = await verifyToken(keys, 'adminToken', String(body.adminToken), clock())
    expect(claims).toMatchObject({ userId, sessionId })

    const wrong = await confirm(token, 'yanlış şifre')
    expect(wrong).toMatchObject({ status: 403, body: { code: 'WrongPassword', message: 'Mevcut şifren yanlış.' } })
    expect(wrong.body).not.toHaveProperty('adminToken')
    expect((await confirm(body.adminToken, PASSWORD)).body).toMatchObject({ code: 'SessionEnded' })
    expect((await confirm(token, '')).body).toMatchObject({ code: 'InvalidInput', message: 'Şifreni gir.' })
  })

  it('[ACC-99] refuses users who are no root admins', async () => {
    for (const { token } of [await api.region.createGuest('Miço'), await api.region.createMember('Kamarot')])
      expect((await confirm(token, PASSWORD)).body).toMatchObject({ code: 'Forbidden' })
  })

  it('[ACC-99] counts a wrong password with those of log-ins', async () => {
    const token = await makeAdmin()
    const codes: unknown[] = []
    while (codes.at(-1) !== 'RateLimited' && codes.length < 20)
      codes.push((await confirm(token, 'yanlış şifre')).body.code)
    expect(codes.slice(0, -1)).toEqual(Array(5).fill('WrongPassword'))
    expect(codes.at(-1)).toBe('RateLimited')
    expect((await logIn()).body).toMatchObject({ code: 'RateLimited' })
  }, 20_000)
})
