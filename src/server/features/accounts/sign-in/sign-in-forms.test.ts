import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, readSessionCookie, type TestApi } from '../../../testing/fixtures/test-api.ts'
import { PasswordHasher } from '../passwords/password-hasher.ts'
import { makeRootAdmin } from '../roles/make-root-admin.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  const passwordHash = String(await new PasswordHasher().hash('dört kuş uçtu'))
  await api.region.appContext.execute(makeRootAdmin, null, { username: 'Kaptan', passwordHash })
})
afterAll(() => api.close())

const guest = (fields: Record<string, string>, headers = {}) => api.postForm('/api/users/guest-login', fields, headers)
const login = (fields: Record<string, string>) => api.postForm('/api/users/login', fields)

describe('a plain sign-in form', () => {
  it('[ACC-22] signs a guest in with a cookie and redirects to room 1 when optional fields are blank', async () => {
    const response = await guest({ username: 'Nergis', gender: '', browserId: '', next: '' })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/room/1')
    const { body } = await api.get('/page', { cookie: readSessionCookie(response) ?? '' })
    expect(body).toMatchObject({ person: { username: 'Nergis', gender: null, lastLoginPlatform: 'web' } })
  })

  it('[ACC-22] [ACC-27] signs a member in and redirects to the requested path', async () => {
    const response = await login({ username: 'Kaptan', password: 'dört kuş uçtu', next: '/room/3' })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/room/3')
    expect(readSessionCookie(response)).toMatch(/^meydan_session=./)
  })

  it('[ACC-27] renders the page again with the reason and the typed fields', async () => {
    const taken = await guest({ username: 'NERGİS', gender: 'female' })
    expect(taken.status).toBe(409)
    expect(taken.headers.get('content-type')).toContain('text/html')
    expect(taken.headers.get('cache-control')).toBe('private, no-store')
    expect(await taken.text()).toBe('<p>guest|Bu kullanıcı adı alınmış. Lütfen başka bir ad seç.|NERGİS|female</p>')
    const short = await guest({ username: '', gender: 'x' })
    expect(short.status).toBe(422)
    expect(await short.text()).toBe('<p>guest|Kullanıcı adı en az 3 karakter olmalıdır.||null</p>')
  })

  it('[ACC-27] never renders the typed password', async () => {
    const response = await login({ username: 'Kaptan', password: 'gizli-ama-yanlış' })
    expect(response.status).toBe(401)
    const text = await response.text()
    expect(text).toBe('<p>login|Giriş başarısız. Lütfen tekrar deneyin.|Kaptan|null</p>')
    expect(await (await login({ username: 'Kaptan', password: '' })).text()).toContain('|Şifreni gir.|')
  })

  it('[ACC-30] [ACC-39] [ACC-31] creates a member and redirects, or shows the error and keeps the other fields', async () => {
    const fields = { username: 'Begonya', password: 'dört kuş uçtu', age: '18', gender: '', browserId: '', next: '' }
    const submit = (more: Record<string, string>) => api.postForm('/api/users/register', { ...fields, ...more })
    const withoutConsent = await submit({})
    expect(withoutConsent.status).toBe(422)
    const reason = 'Gizlilik Sözleşmesini onaylamadan kayıt olamazsınız.'
    expect(await withoutConsent.text()).toBe(`<p>register|${reason}|Begonya|null|18</p>`)
    const tooYoung = await submit({ age: '17', termsAccepted: 'true' })
    expect(await tooYoung.text()).toBe('<p>register|Yaşınız uygun değil!|Begonya|null|17</p>')
    for (const age of ['', 'on sekiz', '0x1E', '0b11110', '3e1', '+30', '30.0', '٣٠', 'Infinity', '9'.repeat(400)]) {
      expect((await submit({ age, termsAccepted: 'true' })).status).toBe(422)
    }
    const created = await submit({ termsAccepted: 'true', next: '/room/2' })
    expect([created.status, created.headers.get('location')]).toEqual([303, '/room/2'])
    expect(readSessionCookie(created)).toMatch(/^meydan_session=./)
    expect((await api.get('/api/users/isRegister/begonya')).body).toMatchObject({ isRegister: true })
  })

  it('[ACC-40] [ACC-27] never redirects to another site from any of the three forms', async () => {
    const fieldsByRoute = {
      'guest-login': { username: 'Leylak' },
      login: { username: 'Kaptan', password: 'dört kuş uçtu' },
      register: { username: 'Zinnia', password: 'dört kuş uçtu', age: '30', termsAccepted: 'true' },
    }
    const otherSites = [
      '//evil.example',
      '/\\evil.example',
      '/%09/evil.example',
      'javascript:alert(1)',
      '/..//evil.example',
    ]
    for (const [route, fields] of Object.entries(fieldsByRoute)) {
      for (const [i, next] of otherSites.entries()) {
        const username = route === 'login' ? fields.username : `${fields.username}${i}`
        const response = await api.postForm(`/api/users/${route}`, { ...fields, username, next })
        const location = new URL(response.headers.get('location') ?? '', 'https://meydan.example')
        expect([response.status, location.origin], `${route} ${next}`).toEqual([303, 'https://meydan.example'])
      }
    }
  })

  it('redirects a page visit to the URL of a refused form home, and answers 404 to other requests', async () => {
    const open = (accept: string) =>
      fetch(`${api.origin}/api/users/guest-login`, { headers: { accept }, redirect: 'manual' })
    const visit = await open('text/html,application/xhtml+xml,*/*;q=0.8')
    expect([visit.status, visit.headers.get('location')]).toEqual([303, '/'])
    expect((await open('*/*')).status).toBe(404)
  })

  it('[HTTP-05] is refused from another site and sets no cookie', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      const response = await guest({ username: 'Papatya' }, { origin })
      expect(response.status).toBe(403)
      expect(readSessionCookie(response)).toBeNull()
    }
  })

  it('[ACC-13] logs out with the token in the form, not by the cookie alone, and redirects home either way', async () => {
    const signedIn = await guest({ username: 'Lale' })
    const cookie = readSessionCookie(signedIn) ?? ''
    const { body } = await api.get('/page', { cookie })
    const withCookieOnly = await api.postForm('/api/users/logout', {}, { cookie })
    expect([withCookieOnly.status, withCookieOnly.headers.get('location')]).toEqual([303, '/'])
    expect((await api.get('/page', { cookie })).body).not.toHaveProperty('nobody')

    const withToken = await api.postForm('/api/users/logout', { token: String(body.token) }, { cookie })
    expect([withToken.status, withToken.headers.get('location')]).toEqual([303, '/'])
    expect(readSessionCookie(withToken)).toBe('meydan_session=')
    expect((await api.get('/page', { cookie })).body).toEqual({ nobody: true })
  })
})
