import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signToken } from '../../src/server/features/accounts/tokens/tokens.ts'
import type { Renderer } from '../../src/server/kernel/render/renderer.ts'
import type { PageShare } from '../../src/server/kernel/render/share-tags.ts'
import { runSql } from '../../src/server/testing/fixtures/test-rooms.ts'
import type { RoomLandingPageProps } from '../../src/shared/rooms/page-props.ts'
import { type HttpRegion, jsonRenderer, startHttpRegion } from '../drivers/http-region.ts'

interface ShownPage {
  status: number
  name: string
  props: RoomLandingPageProps
  boot: object
  share: PageShare | null
}

const renderer: Renderer = {
  ...jsonRenderer,
  render: (name, props, { boot, share }) => JSON.stringify({ name, props, boot, share }),
}

let site: HttpRegion
beforeAll(async () => {
  site = await startHttpRegion({}, renderer)
})
afterAll(() => site.close())

/** The page as a stranger gets it. */
async function open(path: string, headers: Record<string, string> = {}): Promise<ShownPage> {
  const response = await fetch(site.origin + path, { headers, redirect: 'manual' })
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  return { status: response.status, ...((await response.json()) as Omit<ShownPage, 'status'>) } // by the renderer above
}

const update = (sql: string) => runSql(site.region, sql)

describe('the page of a room for a stranger', () => {
  it('[SHARE-10] [ACC-21] [SHARE-08] says which room it is and who is there, and leads there', async () => {
    const { region } = site
    for (const name of ['zeki', 'ada', 'can', 'ece', 'filiz', 'gül', 'hale'])
      await region.connectAs(await region.createGuest(name), 3)
    const ghost = await region.createGuest('aaahayalet')
    region.appContext.presence.setGhost(ghost.userId, true)
    await region.connectAs(ghost, 3)

    const { status, name, props, boot, share } = await open('/room/3?profil=ada')
    expect([status, name, boot]).toEqual([200, '_room-landing', { session: null }])
    expect(props.people.map(({ username }) => username)).toEqual(['ada', 'can', 'ece', 'filiz', 'gül', 'hale'])
    expect(props).toMatchObject({ room: { id: 3, hasPassword: false }, total: 7, next: '/room/3?profil=ada' })
    expect(JSON.stringify(props)).not.toContain('hayalet')
    expect(share).toEqual({ origin: site.origin, path: '/room/3', picture: '/room/3/card.jpg', isIndexed: true })
  })

  it.each(['1'.repeat(20), '999.1.1.1'])(
    '[SHARE-30] is shown for the Host header %j, which names no host',
    async (host) => {
      const { hostname, port } = new URL(site.origin)
      const request = get({ hostname, port, path: '/room/3?profil=ada', headers: { host } })
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      const { props, share } = JSON.parse(await text(response)) as ShownPage // by the renderer above
      expect([response.statusCode, props.next, share]).toEqual([200, '/room/3?profil=ada', null])
    },
  )

  it('[SHARE-10] shows no pictures of people', async () => {
    const { region } = site
    await region.connectAs(await region.createGuest('resimli'), 2)
    expect((await open('/room/2')).props.people).toMatchObject([{ username: 'resimli', avatarUrl: null }])
  })

  it('[SHARE-20] neither names nor counts who has logged out or closed the last tab', async () => {
    const { region } = site
    const [staying, leaving, closing] = await Promise.all(
      ['kalan', 'çıkan', 'kapatan'].map((name) => region.createGuest(name)),
    )
    if (!staying || !leaving || !closing) throw new Error('three guests were created')
    await region.connectAs(staying, 1)
    await region.connectAs(leaving, 1)
    const closed = await region.connectAs(closing, 1)
    const seen = async () => {
      const { people, total } = (await open('/room/1')).props
      return [total, ...people.map(({ username }) => username)]
    }
    expect(await seen()).toEqual([3, 'çıkan', 'kalan', 'kapatan'])
    const token = await signToken(region.appContext.keys, 'userToken', leaving, region.appContext.clock())
    const answer = await fetch(`${site.origin}/api/users/logout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.status).toBe(200)
    closed.disconnect()
    await vi.waitFor(async () => expect(await seen()).toEqual([1, 'kalan']))
    expect(region.appContext.presence.roomCount(1, null)).toBe(3) // others see them leave after the grace period
  })

  it('[SHARE-21] comes back with the reason and what was typed when its form is refused', async () => {
    const submit = async (path: string, fields: Record<string, string>) => {
      const headers = { origin: site.origin }
      const body = new URLSearchParams({ isOfRoom: 'true', next: '/room/3?profil=ada', ...fields })
      const response = await fetch(`${site.origin}/api/users/${path}`, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
      })
      return { status: response.status, ...((await response.json()) as Omit<ShownPage, 'status'>) } // by the renderer above
    }
    const refused = await submit('guest-login', { username: 'moderatör' })
    expect([refused.status, refused.name, refused.share?.path]).toEqual([409, '_room-landing', '/room/3'])
    const form = { form: 'guest', username: 'moderatör', error: 'Bu kullanıcı adı kullanılamaz.' }
    expect(refused.props).toMatchObject({ room: { id: 3 }, next: '/room/3?profil=ada', form })
    const login = await submit('login', { username: 'olmayan', password: 'yanlış-parola' })
    expect([login.name, login.props.form?.form, login.props.form?.username]).toEqual([
      '_room-landing',
      'login',
      'olmayan',
    ])
    // A path that is no room's, a missing room, and the landing page's own form.
    for (const fields of [{ next: '/gizlilik' }, { next: '' }, { next: '/room/999' }, { isOfRoom: '' }])
      expect((await submit('guest-login', { username: 'moderatör', ...fields })).name).toBe('index')
  })

  it('[SHARE-10] [SHARE-09] names nobody in a room with a password, and is not listed; nor is an unlisted room', async () => {
    const { region } = site
    await region.connectAs(await region.createGuest('saklı'), 4)
    update("update room set passwordHash = 'x' where id = 4")
    const locked = await open('/room/4')
    expect([locked.props.people, locked.props.total, locked.share?.isIndexed]).toEqual([[], 1, false])
    expect(JSON.stringify(locked)).not.toMatch(/saklı|passwordHash/)
    update('update room set passwordHash = null, isList = 0 where id = 4')
    expect((await open('/room/4')).share?.isIndexed).toBe(false)
  })

  it.each(['999', '0', 'x', '5'])('[SHARE-10] [SHARE-08] does not find the room %s, and shares nothing', async (id) => {
    update('update room set isActive = 0 where id = 5')
    expect(await open(`/room/${id}`)).toMatchObject({ status: 404, name: '_404', share: null })
  })

  it('[SHARE-08] is shared as the landing page is', async () => {
    const share = { origin: site.origin, path: '/', picture: '/card.jpg', isIndexed: true }
    expect(await open('/?next=/room/3')).toMatchObject({ name: 'index', share })
  })

  it('[SHARE-08] is not the page of who has a session', async () => {
    const guest = await site.region.createGuest('oturan')
    const { keys, clock } = site.region.appContext
    const token = await signToken(keys, 'cookie', guest, clock())
    expect(await open('/room/1', { cookie: `meydan_session=${token}` })).toMatchObject({
      name: 'room/[id]',
      share: null,
    })
  })

  it.each(['evil.example/x', 'a@evil.example', '"><b>'])(
    '[SHARE-08] takes no address from the host %j',
    async (host) => {
      const { request } = await import('node:http')
      const body = await new Promise<string>((resolve, reject) => {
        const sent = request(site.origin, { path: '/', headers: { host } }, (response) => {
          let text = ''
          response.on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () => resolve(text))
        })
        sent.on('error', reject)
        sent.end()
      })
      expect(body).not.toMatch(/"origin"/)
    },
  )
})
