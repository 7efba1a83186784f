import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runAdmin } from '../../admin.ts'
import { getMaintenanceSince } from '../../model/moderation/queries.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { sendHello } from '../../testing/fixtures/test-region.ts'
import { PasswordHasher } from '../accounts/passwords/password-hasher.ts'
import { makeRootAdmin } from '../accounts/roles/make-root-admin.ts'
import { moderationRoutes } from './feature.ts'

let api: TestApi
beforeEach(async () => {
  api = await openTestApi({}, (app, _, site) => moderationRoutes(app, site.appContext))
})
afterEach(() => api.close())

const switchMaintenance = (mode: 'on' | 'off') => runAdmin(['maintenance', mode], api.region.appContext.config)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('maintenance', () => {
  it('[MOD-19] can be switched on a running site, which follows, and survives a restart', async () => {
    const guest = await api.region.connectAs(await api.region.createGuest('Papatya'), 1)
    expect(await switchMaintenance('on')).toContain('The site is under maintenance')
    expect(await switchMaintenance('on')).toContain('already')
    expect(await guest.waitForEvent('serverMaintenance')).toMatchObject({
      isOn: true,
      message: expect.stringContaining('bakımda'),
    })
    expect(await switchMaintenance('off')).toContain('The maintenance is over')
    await guest.waitForEvent('serverMaintenance', ({ isOn }) => isOn === false)

    await switchMaintenance('on')
    await api.region.restart()
    expect(getMaintenanceSince(api.region.appContext.reader)).not.toBeNull()
  })

  it('[MOD-18] refuses commands and routes of everybody but root admins', async () => {
    const [user, root] = [await api.region.createGuest('Papatya'), await api.region.createRootAdmin('Yönetici')]
    const [guest, admin] = [await api.region.connectAs(user, 1), await api.region.connectAs(root, 1)]
    await switchMaintenance('on')
    expect(await guest.request('sendMessage', { roomId: 1, content: 'merhaba' })).toMatchObject({ code: 'Maintenance' })
    expect(await guest.request('getRooms', {})).toMatchObject({ code: 'Maintenance' })
    expect(await admin.request('sendMessage', { roomId: 1, content: 'merhaba' })).toMatchObject({ success: true })
    const getProfile = (token: string) => api.get('/api/users/username/Papatya', bearer(token))
    expect((await getProfile(user.token)).status).toBe(503)
    expect((await getProfile(root.token)).status).toBe(200)
    expect((await api.get('/api/users/isRegister/Papatya')).status).toBe(503)

    // A signed-in guest keeps the session and is notified when maintenance ends.
    expect((await api.post('/api/users/refresh-token', {}, bearer(user.token))).status).toBe(200)
    const reconnected = api.region.openConnection()
    expect(await sendHello(reconnected, user)).toMatchObject({ user: { username: 'Papatya' } })
    await reconnected.waitForEvent('serverMaintenance', ({ isOn }) => isOn === true)
    await switchMaintenance('off')
    await reconnected.waitForEvent('serverMaintenance', ({ isOn }) => isOn === false)
    expect(await reconnected.request('getRooms', {})).toHaveProperty('rooms')
  })

  it('[MOD-18] lets only root admins sign in', async () => {
    const password = 'çok gizli parola'
    const passwordHash = String(await new PasswordHasher().hash(password))
    await api.region.appContext.execute(makeRootAdmin, null, { username: 'Yönetici', passwordHash })
    await switchMaintenance('on')
    const login = (username: string, given: string) => api.post('/api/users/login', { username, password: given })
    expect((await login('Yönetici', 'yanlış')).body).toMatchObject({ code: 'LoginFailed' })
    expect((await login('Yönetici', password)).body).toMatchObject({ success: true, adminToken: expect.any(String) })
    expect((await api.post('/api/users/guest-login', { username: 'Lale' })).status).toBe(503)
  })
})
