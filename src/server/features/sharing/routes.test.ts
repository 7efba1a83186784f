import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stopClock } from '../../testing/fixtures/stop-clock.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestRegion } from '../../testing/fixtures/test-region.ts'
import { runSql } from '../../testing/fixtures/test-rooms.ts'
import { sharingRoutes } from './routes.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi({}, (app, _, { appContext }) => sharingRoutes(app, appContext))
})
afterAll(() => api.close())

const update = (sql: string) => runSql(api.region, sql)

const pathsOfSitemap = async () =>
  [...(await (await api.send('/sitemap.xml')).text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) =>
    url.replace(api.origin, ''),
  )

it('[SHARE-06] lists the landing page and open, listed, active rooms in the sitemap, which robots.txt names', async () => {
  update('update room set isList = 0 where id = 2')
  update('update room set isActive = 0 where id = 3')
  update("update room set passwordHash = 'x' where id = 4")
  expect(await pathsOfSitemap()).toEqual(['/', '/room/1', '/room/5'])
  const sitemap = await api.send('/sitemap.xml')
  expect([sitemap.headers.get('content-type'), sitemap.headers.get('cache-control')]).toEqual([
    'application/xml; charset=UTF-8',
    'public, max-age=3600',
  ])
  const robots = await api.send('/robots.txt')
  expect([robots.status, robots.headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8'])
  const rules = await robots.text()
  expect(rules).toContain(`\nSitemap: ${api.origin}/sitemap.xml\n`)
  expect(rules).toMatch(/^User-agent: \*\nDisallow: \/api\/\n/)
})

it('[SHARE-31] escapes the host in the sitemap', async () => {
  const { hostname, port } = new URL(api.origin)
  const [response] = (await once(
    get({ hostname, port, path: '/sitemap.xml', headers: { host: 'a&b' } }),
    'response',
  )) as [IncomingMessage]
  expect(await text(response)).toContain('<loc>http://a&#38;b/</loc>')
})

it('[SHARE-01] [SHARE-05] sends the card of a room with a tag that the browser may ask for again', async () => {
  const card = await api.send('/room/1/card.jpg')
  const headers = ['content-type', 'cache-control', 'cross-origin-resource-policy'].map((name) =>
    card.headers.get(name),
  )
  expect([card.status, ...headers]).toEqual([200, 'image/jpeg', 'public, max-age=60', 'cross-origin'])
  expect(await sharp(await card.arrayBuffer()).metadata()).toMatchObject({ width: 1200, height: 630 })
  const etag = card.headers.get('etag') ?? ''
  const again = await api.send('/room/1/card.jpg', { headers: { 'if-none-match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const head = await api.send('/room/1/card.jpg', { method: 'HEAD' })
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
})

it('[SHARE-01] shows an unlisted room and one with a password to those who have the link', async () => {
  update('update room set isList = 0 where id = 2')
  update("update room set passwordHash = 'x' where id = 4")
  for (const id of [2, 4]) expect((await api.send(`/room/${id}/card.jpg`)).status).toBe(200)
})

it.each(['999', '0', '01', '-1', 'x', '1e3', '99999999999999999999', '5'])(
  '[SHARE-01] has no card of the room %s, which does not exist or is not active',
  async (id) => {
    update('update room set isActive = 0 where id = 5')
    const response = await api.send(`/room/${id}/card.jpg`)
    expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'private, no-store'])
  },
)

it('[SHARE-01] does not count a ghost-banned guest', async () => {
  const { presence } = api.region.appContext
  const empty = await cardOf(1)
  const ghost = await api.region.createGuest('hayalet')
  presence.setGhost(ghost.userId, true)
  await api.region.connectAs(ghost, 1)
  expect(presence.roomCount(1, null)).toBe(0)
  expect(presence.isMember(1, ghost.userId)).toBe(true)
  expect(await cardOf(1)).toEqual(empty)
})

const cardOf = async (id: number) => Buffer.from(await (await api.send(`/room/${id}/card.jpg`)).arrayBuffer())

it.each(['/robots.txt', '/sitemap.xml', '/room/1/card.jpg'])(
  '[SHARE-07] %s answers GET and HEAD alone',
  async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await api.send(path, { method, headers: { origin: api.origin } })
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
    }
    expect((await api.send(path, { method: 'HEAD' })).status).toBe(200)
  },
)

it('[SHARE-04] leads an address that has had 30 pictures drawn to the picture of the site, and not to draw more', async () => {
  stopClock()
  const other = await openTestApi({}, (app, _, { appContext }) => sharingRoutes(app, appContext))
  let drawings = 0
  other.region.appContext.pictures.draw = async (svg) => {
    drawings++
    return Buffer.from(svg)
  }
  const statuses: number[] = []
  for (let renamed = 0; renamed < 31; renamed++) {
    setRoomName(other.region, 4, `Oda ${renamed}`)
    statuses.push((await other.send('/room/4/card.jpg')).status)
  }
  expect([new Set(statuses.slice(0, 30)), drawings]).toEqual([new Set([200]), 30])
  const response = await other.send('/room/4/card.jpg')
  const headers = ['location', 'cache-control'].map((name) => response.headers.get(name))
  expect([response.status, ...headers]).toEqual([302, '/card.jpg', 'no-store'])
  await other.close()
})

const setRoomName = (region: TestRegion, id: number, name: string) =>
  runSql(region, 'update room set name = ? where id = ?', name, id)
