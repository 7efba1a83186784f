import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ActionLogEntry } from '../../../shared/audit/action-log.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestRootAdmin, TestUser } from '../../testing/fixtures/test-region.ts'
import { moderationRoutes } from '../moderation/feature.ts'
import { auditRoutes } from './feature.ts'

let api: TestApi
let root: TestRootAdmin
let guest: TestUser
beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' }, (app, _, site) => {
    moderationRoutes(app, site.appContext)
    auditRoutes(app, site.appContext)
  })
  root = await api.region.createRootAdmin('Başkan')
  guest = await api.region.createGuest('Kaba')
})
afterAll(() => api.close())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const ban = (username: string, duration = '1hr') =>
  api.post('/api/users/ban', { username, duration, banReason: 'Diğer' }, bearer(root.adminToken))
const read = async (token: string, query = '') => api.get(`/api/moderation/actions${query}`, bearer(token))
async function logOf(viewer: TestUser, name = 'Kaba'): Promise<ActionLogEntry[] | undefined> {
  const { body } = await api.get(`/api/users/profile-consolidated-guest/${name}`, bearer(viewer.token))
  return body.actions as ActionLogEntry[] | undefined // the route's schema
}

describe('the action log', () => {
  it('[AUDIT-08] is read by root admins only, and its event reaches them only', async () => {
    const member = await api.region.createMember('Üye')
    const other = await api.region.createRootAdmin('Öteki')
    const [watcher, bystander] = [await api.region.connectAs(other, 1), await api.region.connectAs(member, 1)]
    const target = await api.region.connectAs(guest, 1)
    await ban('Kaba')
    expect(Object.keys(await watcher.waitForEvent('actionRecorded'))).toEqual(['actionId'])
    await watcher.request('clearRoomMessages', { roomId: 1 })
    // A later event of the log has arrived, so the other one would have arrived too.
    await bystander.waitForEvent('clearMessages')
    for (const client of [bystander, target]) expect(client.countEvents('actionRecorded')).toBe(0)
    for (const token of [member.token, root.token, guest.token, 'e30.e30.e30'])
      expect(await read(token)).not.toMatchObject({ status: 200 })
    expect((await read(root.adminToken, '?kind=siteBan')).body).toMatchObject({
      success: true,
      actions: [
        {
          kind: 'siteBan',
          actor: { id: root.userId, username: 'Başkan', currentUsername: 'Başkan' },
          target: { id: guest.userId, username: 'Kaba' },
          reason: 'Diğer',
          endsAt: expect.any(Number),
          room: null,
          subject: null,
          details: {},
        },
      ],
      next: null,
    })
  })

  it.each(['?kind=site%20ban', '?side=both', '?fromDay=2026-13-01', `?username=${'x'.repeat(65)}`, '?before=x'])(
    '[AUDIT-06] refuses the filter %s',
    async (query) => {
      expect((await read(root.adminToken, query)).body).toMatchObject({ code: 'InvalidInput' })
    },
  )

  it('[AUDIT-07] is part of the profile, also of a guest, for root admins only', async () => {
    const person = await api.region.createGuest('Kırıcı')
    const member = await api.region.createMember('Bakan')
    await ban('Kırıcı', 'indefinite')
    await api.post('/api/users/lift-ban/Kırıcı', {}, bearer(root.adminToken))
    const names = { banningUsername: 'Başkan', targetUsername: 'Kırıcı', timestamp: expect.any(Number) }
    expect(await logOf(root, 'Kırıcı')).toEqual([
      { type: 'other', label: 'Site yasağını kaldırdı', ...names },
      { type: 'system_ban', label: 'Siteden yasakladı', reason: 'Diğer', ...names },
    ])
    expect(await logOf(member, 'Kırıcı')).toBeUndefined()
    expect(await logOf(person, 'Kırıcı')).toBeUndefined()
  })
})
