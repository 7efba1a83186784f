import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PRIVACY_DEFAULTS } from '../../../../shared/settings/rules.ts'
import { userById } from '../../../model/accounts/queries.ts'
import { stopClock } from '../../../testing/fixtures/stop-clock.ts'
import { openTestApi, type TestApi } from '../../../testing/fixtures/test-api.ts'
import type { TestUser } from '../../../testing/fixtures/test-region.ts'
import { endSession } from '../sessions/end-session.ts'
import { verifyToken } from '../tokens/tokens.ts'
import { setOwnPrivacy } from './set-own-privacy.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

/** The privacy settings of the user's own account. */
async function privacyOf({ token }: Pick<TestUser, 'token'>) {
  const { body } = await api.get('/api/users/account', { authorization: `Bearer ${token}` })
  const user = body.user as Record<string, unknown> // the schema of the route
  return Object.fromEntries(Object.keys(PRIVACY_DEFAULTS).map((name) => [name, user[name]]))
}

describe('privacy settings', () => {
  it('[SET-01] have the defaults of the specification', async () => {
    expect(await privacyOf(await api.region.createGuest('yeni'))).toEqual({
      messagePrivacy: 'everyone',
      messageImagePrivacy: 'followers',
      messageAudioPrivacy: 'followers',
      voiceCallPrivacy: 'everyone',
      videoCallPrivacy: 'followers',
      accountPrivacy: 'public',
    })
  })

  it('[SET-02] change one by one and together, and absent ones stay the same', async () => {
    const guest = await api.region.createGuest('seçici')
    const client = await api.region.connectAs(guest)
    for (const messagePrivacy of ['nobody', 'following', 'followers', 'everyone', 'nobody'] as const) {
      expect(await client.request('updatePrivacySettings', { messagePrivacy })).toMatchObject({ success: true })
      expect(await privacyOf(guest)).toEqual({ ...PRIVACY_DEFAULTS, messagePrivacy })
    }
    const changes = { voiceCallPrivacy: 'following', accountPrivacy: 'private' } as const
    await client.request('updatePrivacySettings', changes)
    expect(await privacyOf(guest)).toEqual({ ...PRIVACY_DEFAULTS, messagePrivacy: 'nobody', ...changes })
  })

  let guestCount = 0
  it.each([
    ['an unknown value', { messagePrivacy: 'friends' }],
    ['a value of another setting', { accountPrivacy: 'nobody' }],
    ['a number', { messagePrivacy: 1 }],
    ['a list', { voiceCallPrivacy: ['everyone'] }],
    ['a huge text', { videoCallPrivacy: 'x'.repeat(10_000) }],
  ])('[SET-02] refuse %s and change nothing', async (_, input) => {
    const guest = await api.region.createGuest(`hatalı${++guestCount}`)
    const client = await api.region.connectAs(guest)
    const answer = await client.request('updatePrivacySettings', { messageAudioPrivacy: 'nobody', ...input } as never) // invalid on purpose
    expect(answer).toMatchObject({ code: 'InvalidInput', message: expect.stringMatching(/\p{L}/u) })
    expect(await privacyOf(guest)).toEqual(PRIVACY_DEFAULTS)
  })

  it('[SET-03] belong to the session’s user, refuse another username, and are sent to nobody else', async () => {
    const [own, other] = [await api.region.createGuest('sahibi'), await api.region.createGuest('başkası')]
    const [client, bystander] = [await api.region.connectAs(own, 1), await api.region.connectAs(other, 1)]
    const withOtherName = await client.request('updatePrivacySettings', {
      messagePrivacy: 'nobody',
      username: 'başkası',
    })
    expect(withOtherName).toMatchObject({ code: 'ActorMismatch' })
    await client.request('updatePrivacySettings', { messagePrivacy: 'nobody', username: 'sahibi' })
    expect([await privacyOf(own), await privacyOf(other)]).toEqual([
      { ...PRIVACY_DEFAULTS, messagePrivacy: 'nobody' },
      PRIVACY_DEFAULTS,
    ])
    const stranger = api.region.openConnection()
    expect(await stranger.request('updatePrivacySettings', { messagePrivacy: 'nobody' })).toMatchObject({
      code: 'NotSignedIn',
    })
    await bystander.request('getRooms', {})
    expect(JSON.stringify(bystander.transport.received)).not.toMatch(/rivacy|nobody/)
  })

  it('[SET-04] are acknowledged with a valid token, and a retry has no second effect', async () => {
    const guest = await api.region.createGuest('yenilenen')
    const client = await api.region.connectAs(guest)
    api.region.clockOffset.aheadMs += 5_000
    const input = { messagePrivacy: 'following', clientId: crypto.randomUUID() } as const
    const answer = await client.request('updatePrivacySettings', input)
    if (!('token' in answer)) throw new Error(answer.code)
    const { keys, clock } = api.region.appContext
    const claims = { userId: guest.userId, sessionId: guest.sessionId }
    expect(await verifyToken(keys, 'userToken', answer.token, clock())).toEqual(claims)
    expect(answer.token).not.toBe(guest.token)

    await client.request('updatePrivacySettings', { messagePrivacy: 'nobody' })
    expect(await client.request('updatePrivacySettings', input)).toMatchObject({ success: true })
    expect(await privacyOf(answer)).toMatchObject({ messagePrivacy: 'nobody' })
  })

  it('[SET-04] are refused for an ended session', async () => {
    const guest = await api.region.createGuest('gitmiş')
    const { appContext } = api.region
    await appContext.execute(endSession, guest, {})
    const late = await appContext.execute(setOwnPrivacy, guest, { messagePrivacy: 'nobody' })
    expect(late).toMatchObject({ body: { code: 'SessionEnded' } })
    expect(appContext.reader.get(userById, { id: guest.userId })).toMatchObject({ messagePrivacy: null })
  })

  it('[SET-08] change 30 times at once over all connections of a user, and then once in 10 seconds', async () => {
    stopClock()
    const [guest, other] = [await api.region.createGuest('kararsız'), await api.region.createGuest('seyirci')]
    const clients = [await api.region.connectAs(guest), await api.region.connectAs(guest)] as const
    const change = (turn: number) =>
      clients[turn % 2 ? 1 : 0].request('updatePrivacySettings', { messagePrivacy: 'nobody' })
    for (let turn = 0; turn < 30; turn++) expect(await change(turn)).toMatchObject({ success: true })
    for (const turn of [0, 1]) {
      expect(await change(turn)).toMatchObject({ code: 'RateLimited', waitMs: expect.any(Number) })
    }
    const bystander = await api.region.connectAs(other)
    expect(await bystander.request('updatePrivacySettings', { messagePrivacy: 'nobody' })).toMatchObject({
      success: true,
    })
    api.region.clockOffset.aheadMs += 10_000
    expect(await change(0)).toMatchObject({ success: true })
    expect(await change(1)).toMatchObject({ code: 'RateLimited' })
  })
})
