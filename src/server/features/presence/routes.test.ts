import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { type ApiResponse, openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { signToken } from '../accounts/tokens/tokens.ts'
import { listAllUsers, presenceRoutes } from './routes.ts'

let api: TestApi
let root: TestUser
let adminToken: string
beforeAll(async () => {
  api = await openTestApi({}, (app, _, site) => presenceRoutes(app, site.appContext))
  root = await api.region.createRootAdmin('kök')
  adminToken = await signToken(api.region.appContext.keys, 'adminToken', root, api.region.appContext.clock())
})
afterAll(() => api.close())

const ask = (query: Record<string, string> = {}, token = adminToken): Promise<ApiResponse> =>
  api.get(`/api/users/all-users?${new URLSearchParams(query)}`, { authorization: `Bearer ${token}` })

/** All pages. */
async function all(query: Record<string, string> = {}): Promise<{ users: Person[]; pages: number }> {
  const users: Person[] = []
  let next: string | null = null
  let pages = 0
  do {
    const { status, body } = await ask({ ...query, ...(next !== null && { after: next }) })
    expect(status).toBe(200)
    users.push(...(body.users as Person[]))
    next = body.next as string | null
    pages++
  } while (next !== null)
  return { users, pages }
}

describe('GET /users/all-users', () => {
  it('[PRES-10] requires the admin token of a root admin', async () => {
    const guest = await api.region.createGuest('meraklı')
    for (const token of [guest.token, root.token]) expect((await ask({}, token)).status).toBe(403)
    expect((await ask({}, 'yok')).status).toBe(401)
    const asAdmin = await signToken(api.region.appContext.keys, 'adminToken', guest, api.region.appContext.clock())
    expect((await ask({}, asAdmin)).body).toMatchObject({ success: false })
  })

  it('[PRES-10] lists all users by folded name, online or not', async () => {
    await api.region.createGuest('Işıl')
    await api.region.connectAs(await api.region.createGuest('Çağla'), 2)
    const { users } = await all()
    expect(users.map(({ username, isOnline }) => [username, isOnline])).toEqual([
      ['Işıl', false],
      ['kök', false],
      ['meraklı', false],
      ['Çağla', true],
    ])
    expect(users[1]).toMatchObject({ id: root.userId, role: 'rootadmin', isGuest: false })
    expect(JSON.stringify(users)).not.toMatch(/password|folded/i)
  })

  it('[PRES-12] searches by part of the folded name and by gender, with any characters', async () => {
    const names = async (query: Record<string, string>) => (await all(query)).users.map(({ username }) => username)
    expect(await names({ search: ' IŞI ' })).toEqual(['Işıl'])
    expect(await names({ search: '%' })).toEqual([])
    expect(await names({ search: "' or 1=1 --" })).toEqual([])
    expect(await names({ gender: 'female' })).toEqual([])
    expect((await ask({ gender: 'other' })).status).toBe(422)
    expect((await ask({ search: 'x'.repeat(65) })).status).toBe(422)
  })

  it('[PRES-10] scans many users in bounded steps and misses none', async () => {
    for (let n = 10; n < 60; n++) await api.region.createGuest(`kalabalık${n}`)
    const steps = { size: 7, max: 2 }
    const pages = []
    for (let from: string | null = ''; from !== null; ) {
      const { users, next } = await listAllUsers(api.region.appContext, { search: 'LABALIK' }, from, steps)
      pages.push(users.map(({ username }) => username))
      from = next
    }
    expect(pages.flat()).toEqual(Array.from({ length: 50 }, (_, index) => `kalabalık${index + 10}`))
    expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(14)
    expect((await all({ search: 'kalabalık' })).users).toHaveLength(50)
  })

  it('[PRES-10] ends when the last page is exactly full', async () => {
    for (let n = 100; n < 200; n++) await api.region.createGuest(`yüz${n}`)
    const { users, pages } = await all({ search: 'yüz' })
    expect([users.length, pages]).toEqual([100, 2])
  })
})

describe('GET /users/username/{name}', () => {
  it('[PRES-16] answers since when a user is online, or when they were last active', async () => {
    const fetchProfile = async (name: string) =>
      (await api.get(`/api/users/username/${name}`, { authorization: `Bearer ${root.token}` })).body.user
    const now = api.region.appContext.clock()
    await api.region.connectAs(await api.region.createGuest('burada'))
    api.region.clockOffset.aheadMs += 60_000
    const here = (await fetchProfile('burada')) as { connectedAt: number }
    expect(here).toMatchObject({ isOnline: true, lastActive: expect.any(Number) })
    expect(Math.abs(here.connectedAt - now)).toBeLessThan(30_000)
    expect(await fetchProfile('meraklı')).toMatchObject({
      isOnline: false,
      connectedAt: null,
      lastActive: expect.any(Number),
    })
  })
})
