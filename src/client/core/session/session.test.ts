import { beforeEach, describe, expect, it } from 'vitest'
import type { SignedIn } from '../../../shared/accounts/protocol.ts'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import { ADA } from '../live/testing/fixture-users.ts'
import { FakeEnvironment, flushPromises } from '../platform/testing/fake-environment.ts'
import { Session } from './session.ts'

let environment: FakeEnvironment
let session: Session

beforeEach(() => {
  environment = new FakeEnvironment()
  session = new Session(environment)
})

/** A token with this lifetime; `name` makes it differ from other tokens. */
function tokenFor(minutes: number, name = 'x', more = {}): string {
  const claims = btoa(JSON.stringify({ iat: 1_000, exp: 1_000 + minutes * 60, name, ...more })).replaceAll('=', '')
  return `head.${claims.replaceAll('+', '-').replaceAll('/', '_')}.signature`
}

const signedIn = (more: Partial<SignedIn> = {}): SignedIn => ({
  success: true,
  token: tokenFor(60),
  user: ADA,
  ...more,
})
const stored = (...keys: string[]) => keys.map((key) => environment.browserStorage.get(key))
const answer = (more: Partial<SignedIn> = {}) => {
  environment.respond = () => Response.json(signedIn(more))
}

describe('browser storage', () => {
  it('[ACC-20] takes its values from the page', () => {
    environment.browserStorage.set('username', 'can')
    environment.browserStorage.set('adminToken', 'old')
    environment.browserStorage.set('theme', 'dark')
    environment.serverTheme = 'light'
    session.start(signedIn())
    expect(stored('username', 'token', 'adminToken', 'theme')).toEqual(['ada', tokenFor(60), null, 'light'])
    session.start(signedIn({ adminToken: 'admin' }))
    expect([session.token(), session.adminToken()]).toEqual([tokenFor(60), 'admin'])
  })

  it('[ACC-20] loses the sign-in when the landing page is rendered without a session', () => {
    session.start(signedIn())
    session.saveLastRoom(7)
    const { browserId } = session.formFields()
    environment.pagePath = '/'
    new Session(environment).start(null)
    expect(stored('username', 'token', 'lastRoomId', 'browserId')).toEqual([null, null, '7', browserId])
    expect(environment.navigations).toEqual([])
  })

  it('[ACC-21] is cleared without a session at the address of a room, which asks for a name', () => {
    session.start(signedIn())
    environment.pagePath = '/room/1'
    new Session(environment).start(null)
    expect([environment.navigations, stored('username', 'token')]).toEqual([[], [null, null]])
  })

  it.each([
    ['another page', '/yok', null],
    ['a page that could not be rendered', '/room/1', undefined],
  ] as const)('[ACC-21] stays as it is on %s', (_, path, session_) => {
    session.start(signedIn())
    environment.pagePath = path
    new Session(environment).start(session_)
    expect([environment.navigations, stored('username')]).toEqual([[], ['ada']])
  })

  it('[ACC-41] takes a new name of its own user, and of no other user', () => {
    session.start(signedIn())
    session.applyUserUpdate({ ...ADA, id: ADA.id + 1, username: 'can' })
    expect(stored('username')).toEqual(['ada'])
    session.applyUserUpdate({ ...ADA, username: 'ada2', isGuest: false, role: 'member' })
    expect(stored('username', 'token')).toEqual(['ada2', tokenFor(60)])
    environment.writeFromOtherTab('theme', 'light')
    expect(environment.navigations).toEqual([])
  })

  it('[ACC-20] keeps the browser id across pages', () => {
    const id = session.browserId()
    expect(id).toMatch(/^.{36}$/)
    expect(new Session(new FakeEnvironment(environment)).browserId()).toBe(id)
  })

  it('[ACC-28] has no browser id after its deletion, and a new one on the next page', () => {
    const id = session.browserId()
    environment.browserStorage.set('browserId', null)
    expect(session.browserId()).toBeNull()
    expect(new Session(new FakeEnvironment(environment)).browserId()).not.toBe(id)
  })

  it('[ROOM-02] keeps the last room, which is room 1 by default', () => {
    expect(session.lastRoomId()).toBe(1)
    session.saveLastRoom(12)
    expect(session.lastRoomId()).toBe(12)
    environment.browserStorage.set('lastRoomId', 'nonsense')
    expect(session.lastRoomId()).toBe(1)
  })

  it('fills the hidden fields of plain forms', () => {
    session.start(signedIn())
    session.saveLastRoom(3)
    expect(session.formFields()).toEqual({
      browserId: session.browserId(),
      lastLoginPlatform: 'web',
      next: '/room/3',
      token: tokenFor(60),
    })
  })
})

describe("a tab's id", () => {
  it('[ACC-23] is the same after a reload', () => {
    const id = session.tabId()
    expect(session.tabId()).toBe(id)
    environment.hidePage()
    expect(new Session(new FakeEnvironment(environment)).tabId()).toBe(id)
  })

  it('[ACC-23] is not copied when the tab is duplicated', () => {
    session.tabId()
    environment.hidePage()
    const id = new Session(environment).tabId()
    const copy = new FakeEnvironment(environment)
    expect(new Session(copy).tabId()).not.toBe(id)
  })
})

describe('the token', () => {
  it('[ACC-63] is refreshed after three quarters of its lifetime', async () => {
    answer({ token: tokenFor(60, 'new') })
    session.start(signedIn({ token: tokenFor(60, 'old') }))
    await environment.advance(45 * 60_000 - 1)
    expect(environment.httpRequests).toEqual([])
    await environment.advance(1)
    expect(environment.httpRequests).toEqual([
      { path: '/api/users/refresh-token', authorization: `Bearer ${tokenFor(60, 'old')}` },
    ])
    expect(session.token()).toBe(tokenFor(60, 'new'))
    await environment.advance(45 * 60_000)
    expect(environment.httpRequests).toHaveLength(2)
  })

  it('is refreshed within ten minutes when its claims cannot be read', async () => {
    answer()
    session.start(signedIn({ token: 'opaque' }))
    await environment.advance(10 * 60_000)
    expect(environment.httpRequests).toHaveLength(1)
  })

  it('[ACC-63] is refreshed by the first of several tabs for all of them', async () => {
    answer({ token: tokenFor(60, 'new') })
    const [early, late] = [environment, new FakeEnvironment(environment)]
    early.random = () => 0.1
    late.random = () => 0.9
    session.start(signedIn())
    new Session(late).start(signedIn())
    await early.advance(43 * 60_000)
    expect(early.httpRequests).toHaveLength(1)
    late.writeFromOtherTab('token', tokenFor(60, 'new'))
    await late.advance(46.9 * 60_000)
    expect(late.httpRequests).toEqual([])
  })

  it('[ACC-63] that expired while the machine slept is refreshed once after the first refusals', async () => {
    answer({ token: tokenFor(60, 'new') })
    session.start(signedIn())
    environment.sleep(8 * 60 * 60_000)
    expect(environment.httpRequests).toEqual([])
    // One refresh for a refused call, one for a refused hello.
    expect(await Promise.all([session.refresh(), session.refresh()])).toEqual(['refreshed', 'refreshed'])
    expect(environment.httpRequests).toHaveLength(1)
    expect(session.token()).toBe(tokenFor(60, 'new'))
    await environment.advance(60 * 60_000)
    expect(environment.httpRequests.length).toBeGreaterThan(1)
  })

  it('is fetched once for concurrent refreshes', async () => {
    answer({ token: 'new' })
    session.start(signedIn())
    expect(await Promise.all([session.refresh(), session.refresh()])).toEqual(['refreshed', 'refreshed'])
    expect(environment.httpRequests).toHaveLength(1)
  })

  it.each([
    ['the network fails', () => Promise.reject(new TypeError('no network'))],
    ['the server fails', () => new Response(null, { status: 503 })],
    ['the server limits the rate', () => new Response(null, { status: 429 })],
    ['the answer is not JSON', () => new Response('<html>')],
  ])('[ACC-63] is tried again later when %s', async (_, respond) => {
    environment.respond = respond
    session.start(signedIn())
    expect(await session.refresh()).toBe('unreachable')
    await environment.advance(45 * 60_000 + 30_000)
    expect(environment.httpRequests).toHaveLength(3)
    expect(stored('username')).toEqual(['ada'])
  })

  it('ends the session when the server refuses a refresh', async () => {
    environment.respond = () => new Response(null, { status: 401 })
    session.start(signedIn())
    await environment.advance(45 * 60_000)
    expect(environment.navigations).toEqual(['/'])
    expect(stored('username', 'token')).toEqual([null, null])
    expect(session.takeEndMessage()).toBe('Oturumun sona erdi. Lütfen tekrar giriş yap.')
    await environment.advance(60 * 60_000)
    expect(environment.httpRequests).toHaveLength(1)
  })

  it('[ACC-72] with a newer key is kept when a late answer brings an earlier one', () => {
    const withKey = (key: number) => tokenFor(60, 'x', { sid: 7, key })
    session.start(signedIn({ token: withKey(1) }))
    session.replaceToken(withKey(2))
    expect(session.token()).toBe(withKey(2))
    session.replaceToken(withKey(1))
    expect(session.token()).toBe(withKey(2))
  })

  it('[ACC-57] yields to another user without changing their storage when the cookie is theirs', async () => {
    answer({ user: createPerson(2, 'can') })
    session.start(signedIn())
    environment.tabStorage.set('draft:1', 'kimse görmesin')
    expect(await session.refresh()).toBe('refused')
    session.end('over')
    expect([environment.navigations, stored('username')]).toEqual([['/'], ['ada']])
    expect([...environment.tabStorage.kept.keys()]).toEqual([])
  })
})

describe('the admin token', () => {
  const root = { ...ADA, role: 'rootadmin' as const }
  const adminTokenOf = (userId: number, name = 'x') => tokenFor(15, name, { sub: String(userId) })

  it('[ACC-104] stays with the user when pages and refreshes bring none', async () => {
    session.start(signedIn({ user: root, adminToken: adminTokenOf(ADA.id) }))
    session.start(signedIn({ user: root }))
    answer({ user: root })
    await session.refresh()
    expect(session.adminToken()).toBe(adminTokenOf(ADA.id))
    session.end()
    expect(session.adminToken()).toBeNull()
  })

  it('[ACC-104] of another user, or of one who is no root admin now, is removed', () => {
    environment.browserStorage.set('adminToken', adminTokenOf(2))
    session.start(signedIn({ user: root }))
    expect(session.adminToken()).toBeNull()
    environment.browserStorage.set('adminToken', adminTokenOf(ADA.id))
    session.start(signedIn())
    expect(session.adminToken()).toBeNull()
  })

  it('[ACC-104] of a confirmed password is announced here and in other tabs, and a removed one is not', () => {
    session.start(signedIn({ user: root }))
    let count = 0
    session.onAdminToken(() => count++)
    session.setAdminToken(adminTokenOf(ADA.id))
    expect([count, session.adminToken()]).toEqual([1, adminTokenOf(ADA.id)])
    session.setAdminToken(null)
    expect(count).toBe(1)
    environment.writeFromOtherTab('adminToken', adminTokenOf(ADA.id, 'new'))
    expect(count).toBe(2)
  })
})

describe('the role', () => {
  const root = { ...ADA, role: 'rootadmin' as const }

  it('[ACC-60] [ACC-104] change of the own user refreshes the token, and removes the admin token at once', async () => {
    session.start(signedIn())
    expect(session.isRootAdmin()).toBe(false)
    answer({ user: root })
    session.applyUserUpdate(root)
    expect(session.isRootAdmin()).toBe(true)
    await environment.advance(0)
    expect(session.adminToken()).toBeNull()
    session.setAdminToken(tokenFor(15))

    environment.respond = () => Promise.reject(new TypeError('no network'))
    session.applyUserUpdate(ADA)
    expect([session.isRootAdmin(), session.adminToken()]).toEqual([false, null])
    // The refresh is tried again until the server answers.
    await environment.advance(0)
    answer({ token: tokenFor(60, 'new') })
    await environment.advance(30_000)
    expect([session.token(), session.adminToken()]).toEqual([tokenFor(60, 'new'), null])
  })

  it('[ACC-60] of another user, or an unchanged one, causes no refresh', async () => {
    session.start(signedIn())
    session.applyUserUpdate(createPerson(2, 'can', { role: 'rootadmin' }))
    session.applyUserUpdate({ ...ADA, city: 'İzmir' } as typeof ADA)
    await environment.advance(60_000)
    expect([environment.httpRequests, session.isRootAdmin()]).toEqual([[], false])
  })
})

describe('the end of a session', () => {
  it('[ACC-57] deletes drafts and unsent messages from the tab, and keeps its message', async () => {
    environment.respond = () => Response.json({ success: true })
    session.start(signedIn())
    environment.tabStorage.set('draft:1', 'kimse görmesin')
    environment.tabStorage.set('outbox', '[]')
    let clearCount = 0
    session.onClear(() => clearCount++)
    await session.logOut()
    session.end('Yine')
    expect([clearCount, [...environment.tabStorage.kept.keys()]]).toEqual([1, []])
    const other = new Session(new FakeEnvironment(environment))
    other.start(signedIn())
    other.end('Yasaklandınız.')
    expect([...environment.tabStorage.kept]).toEqual([['endMessage', 'Yasaklandınız.']])
  })

  it('[ACC-57] deletes drafts also when the tab was closed meanwhile', () => {
    environment.tabStorage.set('draft:1', 'kimse görmesin')
    environment.pagePath = '/'
    session.start(null)
    expect([...environment.tabStorage.kept.keys()]).toEqual([])
  })

  it('[ACC-57] in another tab deletes the drafts of a suspended tab before the next user sees them', () => {
    session.start(signedIn())
    environment.tabStorage.set('draft:1', 'kimse görmesin')
    const awake = new FakeEnvironment(environment)
    new Session(awake).start(signedIn())
    expect(awake.tabStorage.get('draft:1')).toBe('kimse görmesin')
    const others = new FakeEnvironment(awake)
    new Session(others).start(signedIn({ user: createPerson(2, 'can') }))
    expect(others.tabStorage.get('draft:1')).toBeNull()
  })

  it('[ACC-57] is detected by a page from the back/forward cache, and so is another user', () => {
    const of = (id: number) => `head.${btoa(JSON.stringify({ sub: String(id), iat: 0, exp: 3_600 }))}.signature`
    session.start(signedIn({ token: of(ADA.id) }))
    expect(session.hasSameUser()).toBe(true)
    for (const [username, token] of [
      ['ada2', of(ADA.id)],
      ['can', of(ADA.id + 1)],
      [null, null],
    ] as const) {
      environment.browserStorage.set('token', token)
      environment.browserStorage.set('username', username)
      expect(session.hasSameUser()).toBe(username === 'ada2')
    }
  })

  it('[ACC-57] does not happen on a return to the home page, and drafts stay', () => {
    session.start(signedIn())
    environment.tabStorage.set('draft:1', 'sonra')
    session.returnHome()
    expect(environment.tabStorage.get('draft:1')).toBe('sonra')
  })

  it('[ACC-13] logs out on the server, then here, and keeps the last room', async () => {
    environment.respond = () => Response.json({ success: true })
    session.start(signedIn())
    session.saveLastRoom(4)
    const ended: unknown[] = []
    session.onEnd((message) => ended.push(message))
    expect(await session.logOut()).toBe(true)
    expect(environment.httpRequests).toEqual([{ path: '/api/users/logout', authorization: `Bearer ${tokenFor(60)}` }])
    expect([ended, environment.navigations]).toEqual([[undefined], ['/']])
    expect(stored('username', 'token', 'lastRoomId')).toEqual([null, null, '4'])
  })

  it('[ACC-28] logs out with the token of a refresh by cookie when storage was cleared', async () => {
    environment.respond = (path) => Response.json(path.endsWith('logout') ? { success: true } : signedIn())
    session.start(signedIn())
    environment.browserStorage.set('token', null)
    expect(await session.logOut('Tarayıcı kimliği bulunamadı.')).toBe(true)
    expect(environment.httpRequests.at(-1)).toEqual({
      path: '/api/users/logout',
      authorization: `Bearer ${tokenFor(60)}`,
    })
    expect(session.takeEndMessage()).toBe('Tarayıcı kimliği bulunamadı.')
  })

  it('does not happen when the server cannot be reached', async () => {
    environment.respond = () => Promise.reject(new TypeError('no network'))
    session.start(signedIn())
    expect(await session.logOut()).toBe(false)
    environment.respond = () => new Response(null, { status: 502 })
    expect(await session.logOut()).toBe(false)
    expect([environment.navigations, stored('username')]).toEqual([[], ['ada']])
  })

  it('happens once, and the landing page shows its message once', async () => {
    session.start(signedIn())
    session.end('Yasaklandınız.')
    session.end('Oturumun sona erdi.')
    session.returnHome()
    expect(environment.navigations).toEqual(['/'])
    const landing = new Session(new FakeEnvironment(environment))
    expect([landing.takeEndMessage(), landing.takeEndMessage()]).toEqual(['Yasaklandınız.', null])
    await environment.advance(2 * 60 * 60_000)
    expect(environment.httpRequests).toEqual([])
  })

  it('does not happen on a return to the home page', () => {
    session.start(signedIn())
    session.returnHome()
    expect([environment.navigations, stored('username')]).toEqual([['/'], ['ada']])
  })
})

describe('other tabs', () => {
  beforeEach(() => session.start(signedIn()))

  it.each([
    ['logs out', null],
    ['signs another user in', 'can'],
  ])('[ACC-57] goes to the home page and deletes drafts when another tab %s', (_, username) => {
    let ended = 0
    session.onEnd(() => ended++)
    environment.tabStorage.set('draft:1', 'kimse görmesin')
    environment.writeFromOtherTab('username', username)
    expect([ended, environment.navigations]).toEqual([1, ['/']])
    expect([environment.tabStorage.get('draft:1'), stored('username')]).toEqual([null, [username]])
  })

  it('[ACC-131] of a session that continues here may clear the sign-in, while the cookie is valid', async () => {
    answer()
    session.takeOver()
    environment.writeFromOtherTab('token', null)
    environment.writeFromOtherTab('username', null)
    await flushPromises()
    expect([environment.navigations, stored('username')]).toEqual([[], ['ada']])
    session.enterAgain()
    expect(environment.navigations).toEqual(['/room/1'])
    session = new Session(environment)
    session.start(signedIn())
    answer()
    environment.writeFromOtherTab('token', null)
    environment.writeFromOtherTab('username', null)
    await flushPromises()
    expect([environment.navigations, stored('username')]).toEqual([['/room/1'], ['ada']])
    environment.respond = () => new Response(null, { status: 401 })
    environment.writeFromOtherTab('token', null)
    environment.writeFromOtherTab('username', null)
    await flushPromises()
    expect(environment.navigations.at(-1)).toBe('/')
  })

  it('[ACC-41] stays when another tab renames the same user, and leaves for another user', () => {
    const of = (id: number) => `head.${btoa(JSON.stringify({ sub: String(id), iat: 0, exp: 3_600 }))}.signature`
    environment.writeFromOtherTab('token', of(ADA.id))
    environment.writeFromOtherTab('username', 'ada2')
    expect(environment.navigations).toEqual([])
    environment.writeFromOtherTab('token', of(ADA.id + 1))
    environment.writeFromOtherTab('username', 'can')
    expect(environment.navigations).toEqual(['/'])
  })

  it('uses the token that another tab has fetched', async () => {
    answer()
    await environment.advance(40 * 60_000)
    environment.writeFromOtherTab('token', tokenFor(60, 'theirs'))
    environment.writeFromOtherTab('theme', 'light')
    await environment.advance(44 * 60_000)
    expect(environment.httpRequests).toEqual([])
    await flushPromises()
    expect(session.token()).toBe(tokenFor(60, 'theirs'))
  })
})
