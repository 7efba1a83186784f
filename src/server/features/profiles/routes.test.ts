import * as v from 'valibot'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sessionEndMessages, UserSummary } from '../../../shared/accounts/protocol.ts'
import { AVATAR_TOO_LARGE, PICTURE_UNREADABLE } from '../../../shared/media/rules.ts'
import { OwnAccount } from '../../../shared/profiles/protocol.ts'
import { profileTexts } from '../../../shared/profiles/rules.ts'
import { CloseCode } from '../../../shared/protocol/frame.ts'
import { userById } from '../../model/accounts/queries.ts'
import { stopClock } from '../../testing/fixtures/stop-clock.ts'
import { openTestApi, readSessionCookie, type TestApi } from '../../testing/fixtures/test-api.ts'
import { createHugePng, createPicture } from '../../testing/fixtures/test-pictures.ts'
import { sendHello, type TestClient } from '../../testing/fixtures/test-region.ts'
import { updateProfile } from './update-profile.ts'

const password = 'dört kuş uçtu'
const NEW_PASSWORD = 'beş balık yüzdü'
const passwordChange = { currentPassword: password, newPassword: NEW_PASSWORD, newPasswordConfirmation: NEW_PASSWORD }

interface Member {
  id: number
  username: string
  token: string
  cookie: string
}

let api: TestApi
let member: Member
let photo: Uint8Array<ArrayBuffer>
let memberCount = 0

beforeAll(async () => {
  api = await openTestApi()
  photo = new Uint8Array(await createPicture('jpeg', 300, 200))
})
beforeEach(async () => {
  // Refills the rate limits, so that tests do not affect each other.
  api.region.clockOffset.aheadMs += 10 * 60_000
  member = await register(`üye${++memberCount}`)
})
afterAll(() => api.close())

async function register(username: string): Promise<Member> {
  const body = JSON.stringify({ username, password, age: 30, termsAccepted: true })
  const headers = { origin: api.origin, 'content-type': 'application/json' }
  return toMember(await api.send('/api/users/register', { method: 'POST', body, headers }))
}

/** Opens another session of the member. */
async function login({ username }: Member, secret = password): Promise<Member> {
  const headers = { origin: api.origin, 'content-type': 'application/json' }
  const body = JSON.stringify({ username, password: secret })
  return toMember(await api.send('/api/users/login', { method: 'POST', body, headers }))
}

async function toMember(response: Response): Promise<Member> {
  const { token, user } = (await response.json()) as { token: string; user: { id: number; username: string } } // the schema of the route
  if (!token) throw new Error(`not signed in: ${response.status}`)
  return { ...user, token, cookie: readSessionCookie(response) ?? '' }
}

async function update(fields: object | FormData, who: Pick<Member, 'token'> = member) {
  const isForm = fields instanceof FormData
  const response = await api.send('/api/users/profile', {
    method: 'PUT',
    body: isForm ? fields : JSON.stringify(fields),
    headers: { authorization: `Bearer ${who.token}`, ...(!isForm && { 'content-type': 'application/json' }) },
  })
  const body = (await response.json()) as Record<string, unknown>
  if (typeof body.token === 'string') who.token = body.token
  return { status: response.status, body }
}

function form(fields: Record<string, string>, avatar?: Uint8Array<ArrayBuffer>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  if (avatar) data.set('avatar', new Blob([avatar]), 'ben.jpg')
  return data
}

async function account({ token }: Member = member): Promise<OwnAccount> {
  const { body } = await api.get('/api/users/account', { authorization: `Bearer ${token}` })
  return v.parse(OwnAccount, body.user)
}

const readUserRow = () => api.region.appContext.reader.get(userById, { id: member.id })
const isLive = async (who: Member) =>
  (await api.get('/api/users/account', { authorization: `Bearer ${who.token}` })).status === 200

/** Connects and completes the hello. */
async function connectClient(who: Member): Promise<TestClient> {
  const client = api.region.openConnection()
  await sendHello(client, { ...who, userId: who.id, sessionId: 0 })
  return client
}

describe('PUT /users/profile', () => {
  it('[PROF-01] accepts a form with a picture and answers with the whole account', async () => {
    const { status, body } = await update(form({ bio: 'Merhaba', city: 'İzmir', age: '41' }, photo))
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, message: 'Profil güncellendi.' })
    const user = v.parse(v.strictObject(OwnAccount.entries), body.user)
    expect(user).toMatchObject({ id: member.id, bio: 'Merhaba', city: 'İzmir', age: 41 })
    expect([user.avatarUrl, user.largeAvatarUrl].map(String)).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}\.webp$/),
      expect.stringMatching(/^[0-9a-f]{64}\.webp$/),
    ])
    expect(await account()).toEqual(user)
  })

  it('[PROF-01] accepts JSON, including privacy settings', async () => {
    const { body } = await update({ bio: 'Selam', age: 22, messagePrivacy: 'nobody', accountPrivacy: 'private' })
    expect(body.user).toMatchObject({
      bio: 'Selam',
      age: 22,
      messagePrivacy: 'nobody',
      accountPrivacy: 'private',
      voiceCallPrivacy: 'everyone',
    })
  })

  it('[PROF-01] changes the actor’s own profile, whatever ids and other fields the body has', async () => {
    const other = await register(`başkası${memberCount}`)
    const foreignIds = { id: other.id, userId: other.id, username: other.username, user: { id: other.id } }
    await update({
      ...foreignIds,
      bio: 'benim',
      avatarUrl: 'x',
      avatar: 'https://127.0.0.1/',
      role: 'rootadmin',
      premiumUntil: 9e15,
      isGuest: false,
    })
    expect(await account(other)).toMatchObject({ bio: null, role: 'member' })
    expect(await account()).toMatchObject({ bio: 'benim', role: 'member', avatarUrl: null, premiumStatus: 'guest' })
  })

  it('[PROF-02] refuses visitors who are not signed in, and guests', async () => {
    const guest = await api.region.createGuest(`ziyaretçi${memberCount}`)
    expect(await update({ bio: 'x' }, { token: '' })).toMatchObject({ status: 401, body: { code: 'NotSignedIn' } })
    const message = 'Bunun için üye olmalısın.'
    expect(await update({ bio: 'x' }, guest)).toMatchObject({ status: 403, body: { code: 'Forbidden', message } })
    expect(await update(form({}, photo), guest)).toMatchObject({ status: 403 })
    const claims = { userId: guest.userId, sessionId: guest.sessionId }
    const late = await api.region.appContext.execute(updateProfile, claims, { columns: { bio: 'x' } })
    expect(late).toMatchObject({ body: { code: 'Forbidden' } })
  })

  it.each([
    [{ age: 17 }, 'age', 'Yaşınız uygun değil!'],
    [{ age: 100 }, 'age', 'Yaşınız uygun değil!'],
    [{ age: 'otuz' }, 'age', 'Yaşınız uygun değil!'],
    [{ bio: 'x'.repeat(301) }, 'bio', profileTexts.bioTooLong],
    [{ city: 'x'.repeat(61) }, 'city', profileTexts.cityTooLong],
    [{ ...passwordChange, newPasswordConfirmation: 'başka' }, 'newPasswordConfirmation', 'Şifreleriniz eşleşmiyor!'],
    [{ messagePrivacy: 'friends' }, 'messagePrivacy', 'Gönderilen bilgiler geçerli değil.'],
    [{ clear: 'password' }, 'clear', 'Gönderilen bilgiler geçerli değil.'],
    [{ bio: 'x'.repeat(2_001) }, 'bio', 'Gönderilen bilgiler geçerli değil.'],
    [{ bio: { $ne: 1 } }, 'bio', 'Gönderilen bilgiler geçerli değil.'],
  ])('[PROF-03] [PROF-04] [PROF-06] [PROF-09] refuses %j and changes nothing', async (fields, path, message) => {
    const before = readUserRow()
    const { status, body } = await update({ city: 'Ankara', messageAudioPrivacy: 'nobody', ...fields })
    expect({ status, body }).toEqual({ status: 422, body: { success: false, code: 'InvalidInput', path, message } })
    expect(readUserRow()).toEqual(before)
  })

  it('[PROF-05] keeps blank fields and clears the fields named by clear', async () => {
    await update(form({ bio: 'Merhaba', city: 'İzmir', age: '41' }, photo))
    const full = await account()
    for (const blank of [{}, { bio: '', city: '  ', age: '' }, form({ bio: '', city: '', age: '', clear: '' })]) {
      expect((await update(blank)).status).toBe(200)
      expect(await account()).toEqual(full)
    }
    await update(form({ clear: 'bio,avatar' }))
    const emptied = { ...full, bio: null, avatarUrl: null, largeAvatarUrl: null }
    expect(await account()).toEqual(emptied)
    await update({ clear: 'city,age', bio: 'yeni' })
    expect(await account()).toEqual({ ...emptied, city: null, age: null, bio: 'yeni' })
  })

  it('[PROF-06] [PROF-13] stores markup as plain text and drops control characters', async () => {
    const bio = '<img src=x onerror=alert(1)>{{7*7}} \'"; drop table user; -- \u202Egizli\u202C\u0000'
    await update({ bio, city: '<script>\nalert(1)</script>' })
    expect(await account()).toMatchObject({
      bio: '<img src=x onerror=alert(1)>{{7*7}} \'"; drop table user; -- gizli',
      city: '<script> alert(1)</script>',
    })
  })

  it('[FILE-21] [PROF-09] refuses a file that is no picture and changes nothing', async () => {
    const before = readUserRow()
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    expect(await update(form({ bio: 'x', ...passwordChange }, svg))).toEqual({
      status: 415,
      body: { success: false, code: 'UnsupportedMediaType', message: PICTURE_UNREADABLE },
    })
    expect(readUserRow()).toEqual(before)
  })

  it('[MEDIA-82] [PROF-09] refuses a picture of 40 megapixels and changes nothing', async () => {
    const before = readUserRow()
    expect(await update(form({ bio: 'x', ...passwordChange }, new Uint8Array(createHugePng(8_000, 5_000))))).toEqual({
      status: 413,
      body: { success: false, code: 'TooLarge', message: AVATAR_TOO_LARGE },
    })
    expect(readUserRow()).toEqual(before)
  })

  it('[PROF-11] allows 30 updates at once, and then one in 10 seconds', async () => {
    stopClock()
    for (let turn = 0; turn < 30; turn++) expect((await update({ bio: `${turn}` })).status).toBe(200)
    expect(await update({ bio: 'once more' })).toMatchObject({ status: 429, body: { code: 'RateLimited' } })
    expect((await update({ bio: 'x' }, await register(`seyirci${memberCount}`))).status).toBe(200)
    api.region.clockOffset.aheadMs += 10_000
    expect((await update({ bio: 'once more' })).status).toBe(200)
  })
})

describe('userProfileUpdated', () => {
  it('[PROF-10] is sent once to everyone, with the user summary only', async () => {
    const bystander = await connectClient(await register(`seyirci${memberCount}`))
    await update(form({ bio: 'çok özel', ...passwordChange }, photo))
    const { user } = await bystander.waitForEvent(
      'userProfileUpdated',
      ({ user }) => (user as { id: number }).id === member.id,
    )
    const { avatarUrl } = await account()
    expect(v.parse(v.strictObject(UserSummary.entries), user)).toMatchObject({ username: member.username, avatarUrl })
    expect(avatarUrl).not.toBeNull()
    await bystander.request('getRooms', {})
    expect(bystander.countEvents('userProfileUpdated')).toBe(1)
    expect(bystander.countEvents('forceDisconnect')).toBe(0)
    expect(JSON.stringify(bystander.transport.received)).not.toMatch(/çok özel|argon2|balık/)
  })

  it('[PROF-10] is not sent when no visible field changes', async () => {
    await update(form({ bio: 'aynı', age: '30' }, photo))
    const bystander = await connectClient(await register(`seyirci${memberCount}`))
    await update(form({ bio: 'aynı', age: '30' }, photo))
    await update({ messagePrivacy: 'nobody' })
    await update({ ...passwordChange })
    await bystander.request('getRooms', {})
    expect(bystander.countEvents('userProfileUpdated')).toBe(0)
  })
})

describe('a password change', () => {
  it('[PROF-08] ends all other sessions and their connections, but not its own', async () => {
    const elsewhere = await login(member)
    const [own, other] = [await connectClient(member), await connectClient(elsewhere)]
    const before = Date.now()
    const earlier = { ...member }
    await update(passwordChange)
    expect(await isLive(earlier)).toBe(false)
    expect(await own.waitForEvent('sessionReplaced')).toMatchObject({ isRenewable: false })
    await own.request('userConnected', { token: member.token })
    expect(await other.waitForEvent('forceDisconnect')).toEqual({ message: sessionEndMessages.passwordChanged })
    await expect.poll(() => other.transport.closeCode).toBe(CloseCode.notSignedIn)
    expect(await isLive(elsewhere)).toBe(false)
    const refreshed = await api.post('/api/users/refresh-token', {}, { authorization: `Bearer ${elsewhere.token}` })
    expect(refreshed.status).toBe(401)
    const picture = await api.send(`/uploads/${'0'.repeat(64)}.webp`, { headers: { cookie: elsewhere.cookie } })
    expect(picture.status).toBe(401)

    expect(await isLive(member)).toBe(true)
    await own.request('getRooms', {})
    expect([own.countEvents('forceDisconnect'), own.transport.closeCode]).toEqual([0, null])
    expect(readUserRow()?.passwordChangedAt).toBeGreaterThanOrEqual(before)
    await expect(login(member)).rejects.toThrow('401')
    expect((await login(member, NEW_PASSWORD)).id).toBe(member.id)
  })

  it('[PROF-07] with a wrong current password is refused and changes nothing', async () => {
    const before = readUserRow()
    const elsewhere = await login(member)
    const answer = await update({ ...passwordChange, currentPassword: 'tahmin', bio: 'x' })
    const message = 'Mevcut şifren yanlış.'
    expect(answer).toEqual({ status: 403, body: { success: false, code: 'WrongPassword', message } })
    expect({ ...readUserRow(), lastSeenAt: 0 }).toEqual({ ...before, lastSeenAt: 0 })
    expect(await isLive(elsewhere)).toBe(true)
  })

  it('[PROF-07] shares the failure limit with sign-in, so that a stolen token cannot guess the password', async () => {
    stopClock()
    const guess = (turn: number) => update({ ...passwordChange, currentPassword: `tahmin${turn}` })
    for (let turn = 0; turn < 3; turn++) expect((await guess(turn)).status).toBe(403)
    for (let turn = 0; turn < 2; turn++) await expect(login(member, `tahmin${turn}`)).rejects.toThrow('401')
    expect(await guess(3)).toMatchObject({ status: 429, body: { code: 'RateLimited', waitMs: expect.any(Number) } })
    // The right password is refused too, before any hash.
    const { computedCount } = api.passwords
    expect((await update(passwordChange)).status).toBe(429)
    await expect(login(member)).rejects.toThrow('429')
    expect(api.passwords.computedCount).toBe(computedCount)
    expect((await update({ bio: 'yine de' })).status).toBe(200)
    api.region.clockOffset.aheadMs += 60_000
    expect((await update(passwordChange)).status).toBe(200)
  })

  it('[PROF-04] without the current and the new password is ignored before any hash', async () => {
    const { computedCount } = api.passwords
    expect((await update({ ...passwordChange, currentPassword: '' })).status).toBe(200)
    expect((await update({ currentPassword: password })).status).toBe(200)
    expect(api.passwords.computedCount).toBe(computedCount)
    expect((await login(member)).id).toBe(member.id)
  })

  it('[PROF-08] verified against an outdated hash is refused', async () => {
    const outdatedHash = readUserRow()?.passwordHash ?? ''
    await update(passwordChange)
    const claims = { userId: member.id, sessionId: await sessionOf(member) }
    const late = await api.region.appContext.execute(updateProfile, claims, {
      columns: { bio: 'geç' },
      password: { verifiedHash: outdatedHash, newHash: 'hiç' },
    })
    expect(late).toMatchObject({ body: { code: 'WrongPassword' } })
    expect(await account()).toMatchObject({ bio: null })
    await expect(login(member)).rejects.toThrow('401')
  })

  it('[PROF-08] succeeds once when two sessions change the password concurrently', async () => {
    const elsewhere = await login(member)
    const answers = await Promise.all([
      update(passwordChange),
      update({ ...passwordChange, newPassword: 'altı at koştu', newPasswordConfirmation: 'altı at koştu' }, elsewhere),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => /WrongPassword|SessionEnded/.test(String(body.code)))).toHaveLength(1)
  })
})

/** The session id of the member's token. */
async function sessionOf({ token }: Member): Promise<number> {
  const { verifyToken } = await import('../accounts/tokens/tokens.ts')
  const { keys, clock } = api.region.appContext
  return (await verifyToken(keys, 'userToken', token, clock()))?.sessionId ?? 0
}
