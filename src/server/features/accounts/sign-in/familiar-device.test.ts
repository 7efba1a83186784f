import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestApi, type TestApi } from '../../../testing/fixtures/test-api.ts'
import { PasswordHasher } from '../passwords/password-hasher.ts'

const PASSWORD = 'dört kuş uçtu'
const NEW_PASSWORD = 'beş balık yüzdü'
/** Far longer than any test takes, so that no hash that is held back leaves its queue. */
const MAX_WAIT_MS = 3_600_000

let api: TestApi
/** Hashes that a test holds back, to have others wait behind them. */
let heldHashes: (() => void)[] | null
beforeEach(async () => {
  // Buckets refill only when a test advances the clock, however slow this machine is.
  vi.useFakeTimers({ toFake: ['Date'] })
  heldHashes = null
  const passwords = new PasswordHasher(
    async (_, { message, nonce }) => {
      if (heldHashes) await new Promise<void>((resolve) => heldHashes?.push(resolve))
      return createHash('sha256').update(String(message)).update(String(nonce)).digest()
    },
    MAX_WAIT_MS,
    2,
  )
  api = await openTestApi({ MEYDAN_TRUSTED_PROXIES: '127.0.0.1' }, () => {}, passwords)
})
afterEach(async () => {
  await api.close()
  vi.useRealTimers()
})

const from = (address: string) => ({ 'x-forwarded-for': address })
const deviceCookie = (headers: Headers) =>
  headers.getSetCookie().find((cookie) => cookie.startsWith('meydan_device=')) ?? ''

/** A new member, and the cookie of the device that signed up. */
async function register(username: string, address = '203.0.113.5') {
  const fields = { username, password: PASSWORD, age: 30, termsAccepted: true }
  const { status, body, headers } = await api.post('/api/users/register', fields, from(address))
  expect(status).toBe(200)
  const [cookie = ''] = deviceCookie(headers).split(';')
  return { cookie, token: String(body.token), headers }
}

function login(username: string, password: string, headers: Record<string, string>) {
  return api.post('/api/users/login', { username, password }, headers)
}

function changePassword(token: string, headers: Record<string, string>) {
  const fields = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, newPasswordConfirmation: NEW_PASSWORD }
  return api.send('/api/users/profile', {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', origin: api.origin, ...headers },
    body: JSON.stringify(fields),
  })
}

/** Fails at Kaptan's password from 50 networks, after which strangers have to wait. */
async function exhaustStrangers() {
  for (let i = 0; i < 50; i += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, j) => login('Kaptan', 'yanlış', from(`198.51.100.${i + j}`))))
  }
  expect(await login('Kaptan', PASSWORD, from('203.0.113.5'))).toMatchObject({ status: 429 })
}

describe('the cookie of a familiar device', () => {
  it('[ACC-91] is set by sign-up and log-in, only for the API, and signed', async () => {
    const { headers } = await register('Kaptan')
    expect(deviceCookie(headers)).toMatch(
      /^meydan_device=[\w-]{16}\.[\w-]{43}; Max-Age=34560000; Path=\/api; HttpOnly; SameSite=Strict$/,
    )
    const signedIn = await login('Kaptan', PASSWORD, from('203.0.113.6'))
    expect(deviceCookie(signedIn.headers)).toMatch(/^meydan_device=/)
    expect(deviceCookie((await login('Kaptan', 'yanlış', from('203.0.113.6'))).headers)).toBe('')
  })

  it('[ACC-91] [ACC-92] lets its owner in while strangers have to wait, and keeps its id', async () => {
    const { cookie } = await register('Kaptan')
    await exhaustStrangers()
    const again = await login('Kaptan', PASSWORD, { ...from('203.0.113.5'), cookie })
    expect(again.status).toBe(200)
    expect(deviceCookie(again.headers).split(';')[0]).toBe(cookie)
  })

  it('[ACC-91] is worth nothing when it is forged or of another account', async () => {
    const { cookie } = await register('Kaptan')
    const other = await register('Reis')
    await exhaustStrangers()
    const forged = cookie.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))
    for (const worthless of [other.cookie, forged, 'meydan_device=', 'meydan_device=x.y']) {
      const { status } = await login('Kaptan', PASSWORD, { ...from('203.0.113.5'), cookie: worthless })
      expect(status).toBe(429)
    }
  })

  it('[ACC-91] is revoked by a changed password, except for the device that changed it', async () => {
    const { cookie, token } = await register('Kaptan')
    const changed = await changePassword(token, { ...from('203.0.113.5'), cookie })
    expect(changed.status).toBe(200)
    const [renewed = ''] = deviceCookie(changed.headers).split(';')
    await exhaustStrangers()
    expect(await login('Kaptan', NEW_PASSWORD, { ...from('203.0.113.5'), cookie })).toMatchObject({ status: 429 })
    expect(await login('Kaptan', NEW_PASSWORD, { ...from('203.0.113.5'), cookie: renewed })).toMatchObject({
      status: 200,
    })
  })

  it('[ACC-92] lets its owner change the password while strangers have to wait', async () => {
    const { cookie, token } = await register('Kaptan')
    await exhaustStrangers()
    expect((await changePassword(token, from('203.0.113.5'))).status).toBe(429)
    expect((await changePassword(token, { ...from('203.0.113.5'), cookie })).status).toBe(200)
  })

  it('[ACC-93] copied by somebody else gives 5 guesses and not one more', async () => {
    const { cookie } = await register('Kaptan')
    await exhaustStrangers()
    const guess = () => login('Kaptan', 'yanlış', { ...from('198.51.100.200'), cookie })
    for (let i = 0; i < 5; i++) expect((await guess()).body.code).toBe('LoginFailed')
    const { computedCount } = api.passwords
    expect((await guess()).body.code).toBe('RateLimited')
    expect(api.passwords.computedCount).toBe(computedCount)
  })
})

describe('sign-in under load', () => {
  const waitFor = (assertion: () => void) => vi.waitFor(assertion, { timeout: 30_000, interval: 5 })

  /** The owner's log-in from a familiar device, behind those who wait, with four hashes more. */
  async function signInBehindOthers(cookie: string) {
    const before = api.passwords.waitingCount
    const answer = login('Kaptan', PASSWORD, { ...from('203.0.113.5'), cookie })
    await waitFor(() => expect(api.passwords.waitingCount).toBe(before + 1))
    for (let i = 0; i < 4; i++) {
      await waitFor(() => expect(heldHashes).toHaveLength(2))
      heldHashes?.shift()?.()
    }
    expect((await answer).status).toBe(200)
  }
  const releaseHashes = () => {
    const held = heldHashes ?? []
    heldHashes = null
    for (const release of held) release()
  }

  it('[ACC-94] 400 log-ins from 400 networks do not refuse a familiar device', async () => {
    const { cookie } = await register('Kaptan')
    heldHashes = []
    const codes: unknown[] = []
    const attack: Promise<void>[] = []
    const attempt = async (i: number) => {
      const name = i % 4 ? `yok_${i}` : 'Kaptan'
      const { body } = await login(name, 'yanlış', from(`198.18.${i >> 8}.${i & 255}`))
      codes.push(body.code)
    }
    // In parts, because a listening socket keeps some hundred connections that are not accepted yet.
    while (attack.length < 400) {
      for (let i = 0; i < 100; i++) attack.push(attempt(attack.length))
      await waitFor(() => expect(api.passwords.waitingCount + codes.length).toBe(attack.length - 2))
    }
    expect(api.passwords.waitingCount).toBe(200)
    expect(new Set(codes)).toEqual(new Set(['Busy']))
    await signInBehindOthers(cookie)
    releaseHashes()
    await Promise.all(attack)
    expect(new Set(codes)).toEqual(new Set(['Busy', 'LoginFailed']))
  })

  it('[ACC-94] 60 members who change their passwords do not refuse a familiar device', async () => {
    const { cookie } = await register('Kaptan')
    const members = await Promise.all(Array.from({ length: 60 }, (_, i) => register(`üye_${i}`, `198.18.0.${i}`)))
    heldHashes = []
    const changes = members.map(({ token }, i) => changePassword(token, from(`198.18.0.${i}`)))
    await waitFor(() => expect(api.passwords.waitingCount).toBe(58))
    await signInBehindOthers(cookie)
    releaseHashes()
    const statuses = (await Promise.all(changes)).map(({ status }) => status)
    expect(statuses).toEqual(Array(60).fill(200))
  })
})
