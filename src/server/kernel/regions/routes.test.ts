import { afterAll, beforeAll, expect, it } from 'vitest'
import { runAdmin } from '../../admin.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { regionHeader, regionRoutes } from './routes.ts'

let api: TestApi

beforeAll(async () => {
  api = await openTestApi({ MEYDAN_REGION: 'ist' }, (app, _, site) => {
    app.use(regionHeader(site.appContext.config.region))
    regionRoutes(app, site.appContext)
  })
})
afterAll(() => api.close())

it('[REG-30] answers the region, its role and its position', async () => {
  const { status, body, headers } = await api.get('/api/region')
  expect(status).toBe(200)
  expect(body).toEqual({
    region: 'ist',
    role: 'primary',
    primary: 'ist',
    position: { txid: '', seq: expect.any(Number) },
    lagMs: 0,
  })
  expect(headers.get('x-meydan-region')).toBe('ist')
})

it('[REG-30] names the region on a 404', async () => {
  const answer = await api.send('/nowhere')
  expect([answer.status, answer.headers.get('x-meydan-region')]).toEqual([404, 'ist'])
})

it('[HTTP-18] answers while the site is under maintenance', async () => {
  await runAdmin(['maintenance', 'on'], api.region.appContext.config)
  expect((await api.get('/api/users/isRegister/can')).status).toBe(503)
  expect((await api.get('/api/region')).status).toBe(200)
})
