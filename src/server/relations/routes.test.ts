import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MAX_BLOCKS } from '../../shared/relations/rules.ts'
import { type ApiResponse, openTestApi, type TestApi } from '../testing/fixtures/test-api.ts'
import { openTestDatabase, type TestDatabase } from '../testing/fixtures/test-database.ts'
import type { TestUser } from '../testing/fixtures/test-region.ts'
import { isBlockedBetween } from './access.ts'
import { listBlockedUsers } from './queries.ts'
import { relationRoutes } from './routes.ts'

describe('blocks over HTTP', () => {
  let api: TestApi
  let people: Record<'ada' | 'can' | 'deniz' | 'kök', TestUser>
  beforeAll(async () => {
    api = await openTestApi({ MEYDAN_LIMIT_SCALE: '100' }, (app, _, site) => relationRoutes(app, site.appContext))
    const { region } = api
    people = {
      ada: await region.createGuest('ada'),
      can: await region.createGuest('Can'),
      deniz: await region.createGuest('deniz'),
      kök: await region.createRootAdmin('kök'),
    }
  })
  afterAll(() => api.close())

  const as = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` })
  const block = (who: TestUser, blockedUsername: string, more: object = {}): Promise<ApiResponse> =>
    api.post('/api/users/block', { blockedUsername, ...more }, as(who))
  const unblock = (who: TestUser, blockedUsername: string, more: object = {}): Promise<ApiResponse> =>
    api.post('/api/users/unblock', { blockedUsername, ...more }, as(who))
  const between = async (who: TestUser, username1: string, username2: string) =>
    (await api.get(`/api/users/is-blocked?${new URLSearchParams({ username1, username2 })}`, as(who))).body
  const profile = async (who: TestUser, name: string) =>
    (await api.get(`/api/users/username/${name}`, as(who))).body.user
  const listed = async (who: TestUser) => (await api.get('/api/users/blocked-users', as(who))).body

  it('[REL-01] [REL-05] [REL-06] a guest blocks and unblocks by name, letters folded, and finds it in every answer', async () => {
    const { ada, can } = people
    expect((await block(ada, ' CAN ')).body).toEqual({ success: true })
    const row = { blockedUsername: 'Can', userDetails: { avatarUrl: null, gender: null }, id: can.userId }
    expect(await listed(ada)).toEqual({
      success: true,
      blockedUsers: [{ ...row, isGuest: true, isGone: false }],
      next: null,
    })
    expect(await listed(can)).toEqual({ success: true, blockedUsers: [], next: null })
    const own = { success: true, hasBlockedProfile: true, isBlockedByProfile: false }
    const others = { success: true, hasBlockedProfile: false, isBlockedByProfile: true }
    expect(await between(ada, 'ada', 'can')).toEqual(own)
    expect(await between(can, 'ada', 'can')).toEqual(own)
    expect(await between(can, 'can', 'ada')).toEqual(others)
    const { reader } = api.region.appContext
    expect(isBlockedBetween(reader, ada.userId, can.userId)).toBe(true)
    expect(isBlockedBetween(reader, can.userId, ada.userId)).toBe(true)
    expect(isBlockedBetween(reader, ada.userId, people.deniz.userId)).toBe(false)
    expect((await unblock(ada, 'can')).body).toEqual({ success: true })
    expect(await between(ada, 'ada', 'can')).toMatchObject({ hasBlockedProfile: false, isBlockedByProfile: false })
  })

  it('[REL-06] refuses strangers, and tells root admins', async () => {
    const { ada, deniz, kök } = people
    expect(await between(deniz, 'ada', 'can')).toMatchObject({ success: false, code: 'Forbidden' })
    expect(await between(deniz, 'ada', 'böyle-biri-yok')).toMatchObject({ code: 'Forbidden' })
    expect(await between(kök, 'ada', 'can')).toMatchObject({ success: true })
    expect(await between(kök, 'ada', 'böyle-biri-yok')).toMatchObject({ code: 'NotFound' })
    expect(await between(ada, 'ada', 'böyle-biri-yok')).toMatchObject({ code: 'NotFound' })
    expect(await between(ada, 'ada', 'ada')).toMatchObject({ hasBlockedProfile: false, isBlockedByProfile: false })
  })

  it('[REL-01] refuses oneself, unknown names, names of somebody else, and whatever is no name', async () => {
    const { ada, can, kök } = people
    expect((await block(ada, 'ADA')).body).toMatchObject({ code: 'Forbidden', message: 'Kendinizi engelleyemezsiniz.' })
    expect((await block(ada, 'böyle-biri-yok')).body).toMatchObject({
      code: 'NotFound',
      message: 'Kullanıcı bulunamadı.',
    })
    expect((await block(ada, 'deniz', { blockedUserId: can.userId })).body).toMatchObject({ code: 'NotFound' })
    expect((await block(ada, 'deniz', { blockedUserId: 999 })).body).toMatchObject({ code: 'NotFound' })
    for (const wrong of ['', 'x'.repeat(65), "' or 1=1 --", '\ud800', null, 7, {}, []]) {
      const { status, body } = await block(ada, wrong as never)
      expect([404, 422]).toContain(status)
      expect(body).toMatchObject({ success: false, message: expect.stringMatching(/\S/) })
    }
    expect((await api.get('/api/users/blocked-users?before=x', as(ada))).status).toBe(422)
    expect((await listed(ada)).blockedUsers).toEqual([])
    expect((await block(ada, 'kök')).body).toEqual({ success: true })
    expect((await block(kök, 'ada')).body).toEqual({ success: true })
    await unblock(ada, 'kök')
    await unblock(kök, 'ada')
  })

  it('[REL-02] does the same again without telling anybody', async () => {
    const { ada, can } = people
    await block(ada, 'can')
    const before = api.region.appContext.reader.cursor()
    expect((await block(ada, 'can')).body).toEqual({ success: true })
    expect((await unblock(ada, 'deniz')).body).toEqual({ success: true })
    expect((await unblock(ada, 'can', { blockedUserId: 999 })).body).toEqual({ success: true })
    expect(api.region.appContext.reader.cursor()).toBe(before)
    expect((await listed(ada)).blockedUsers).toMatchObject([{ id: can.userId }])
    await unblock(ada, 'can')
  })

  it('[REL-04] tells the two on all their lines, and nobody else', async () => {
    const { ada, can, deniz, kök } = people
    const lines = {
      ada: [await api.region.connectAs(ada, 1), await api.region.connectAs(ada)],
      can: [await api.region.connectAs(can, 2)],
      others: [await api.region.connectAs(deniz, 1), await api.region.connectAs(kök, 1)],
    }
    await block(can, 'ada') // whoever is blocked hears it, though they have blocked the other, too
    await block(ada, 'can')
    await unblock(ada, 'can')
    const two = {
      blockerUsername: 'ada',
      blockedUsername: 'Can',
      blockerId: ada.userId,
      blockedId: can.userId,
    }
    const isAdas = ({ blockerId }: Record<string, unknown>) => blockerId === ada.userId
    for (const line of lines.ada) {
      expect(await line.waitForEvent('userBlocked', isAdas)).toEqual({ ...two, message: 'Can engellendi.' })
      expect(await line.waitForEvent('userUnblocked')).toEqual({ ...two, message: 'Can engeli kaldırıldı.' })
    }
    for (const line of lines.can) {
      expect(await line.waitForEvent('userBlocked', isAdas)).toEqual({ ...two, message: 'ada sizi engelledi.' })
      expect(await line.waitForEvent('userUnblocked')).toEqual({ ...two, message: 'ada engelinizi kaldırdı.' })
    }
    await unblock(can, 'ada')
    const ofBlocks = lines.others.flatMap((line) => [
      line.countEvents('userBlocked'),
      line.countEvents('userUnblocked'),
    ])
    expect(ofBlocks).toEqual([0, 0, 0, 0])
    for (const line of Object.values(lines).flat()) line.disconnect()
  })

  it('[REL-13] shows in a profile what lists do, whichever of the two has blocked the other; root admins see all', async () => {
    const { ada, can, deniz, kök } = people
    const none = { hasBlockedProfile: false, isBlockedByProfile: false }
    const whole = ['age', 'bio', 'city', 'connectedAt', 'lastActive', 'largeAvatarUrl']
    expect(await profile(ada, 'can')).toMatchObject({ username: 'Can', lastActive: expect.any(Number), status: none })
    await block(ada, 'can')
    for (const [who, whom, status] of [
      [ada, 'can', { ...none, hasBlockedProfile: true }],
      [can, 'ada', { ...none, isBlockedByProfile: true }],
    ] as const) {
      const shown = await profile(who, whom)
      expect(shown).toMatchObject({ isOnline: false, isGuest: true, status })
      for (const field of whole) expect(shown).not.toHaveProperty(field)
    }
    for (const field of whole) expect(await profile(deniz, 'can')).toHaveProperty(field)
    await block(can, 'kök')
    const byRoot = await profile(kök, 'can')
    for (const field of [...whole, 'isBanned']) expect(byRoot).toHaveProperty(field)
    expect(byRoot).toMatchObject({ status: { ...none, isBlockedByProfile: true } })
    await unblock(can, 'kök')
    await unblock(ada, 'can')
    expect(await profile(can, 'ada')).toMatchObject({ lastActive: expect.any(Number), status: none })
  })
})

describe('blocks, one after the other', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await openTestApi({}, (app, _, site) => relationRoutes(app, site.appContext))
  })
  afterAll(() => api.close())

  it('[REL-22] tease nobody without end: 30 changes at once, and then one in 10 seconds', async () => {
    const { region } = api
    const [teaser, teased] = [await region.createGuest('takılan'), await region.createGuest('takılınan')]
    const line = await region.connectAs(teased)
    const change = async (turn: number, who = teaser, blockedUsername = 'takılınan') => {
      const path = turn % 2 === 0 ? '/api/users/block' : '/api/users/unblock'
      return api.post(path, { blockedUsername }, { authorization: `Bearer ${who.token}` })
    }
    for (let turn = 0; turn < 30; turn++) expect((await change(turn)).status).toBe(200)
    for (const turn of [30, 31]) {
      expect(await change(turn)).toMatchObject({ status: 429, body: { code: 'RateLimited' } })
    }
    await line.request('getRooms', {})
    expect([line.countEvents('userBlocked'), line.countEvents('userUnblocked')]).toEqual([15, 15])
    expect((await change(0, teased, 'takılan')).status).toBe(200)
    region.clockOffset.aheadMs += 10_000
    expect((await change(30)).status).toBe(200)
  })
})

describe('blocks, in the writer', () => {
  let base: TestDatabase
  let ada: number
  beforeEach(async () => {
    base = await openTestDatabase()
    ada = base.addMember('ada')
  })
  afterEach(() => base.close())

  const command = (name: string, input: object, userId = ada) => {
    base.clock.now += 1
    return base.run({ command: name, actor: { userId, sessionId: userId }, input })
  }
  const namesListed = () => listBlockedUsers(base.read, ada).blockedUsers.map(({ blockedUsername }) => blockedUsername)
  const addGuest = (username: string, nameReleasedAt: number | null = null): number =>
    Number(
      base.db
        .prepare(
          `insert into user (username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt, nameReleasedAt)
           values (?, lower(?), 1, 'guest', 'web', 0, 0, ?)`,
        )
        .run(username, username, nameReleasedAt).lastInsertRowid,
    )

  it('[REL-05] lists the latest first, a page at a time, and misses nobody on the way', () => {
    for (let n = 100; n < 220; n++) command('blockUser', { blockedUsername: `kisi${base.addMember(`kisi${n}`) && n}` })
    // Several of one moment are in one order, too.
    base.db.prepare('update block set createdAt = createdAt / 7').run()
    const pages: number[][] = []
    for (let next: string | null | undefined; next !== null; ) {
      const page: ReturnType<typeof listBlockedUsers> = listBlockedUsers(base.read, ada, next)
      pages.push(page.blockedUsers.map(({ id }) => id))
      next = page.next
    }
    expect(pages.map(({ length }) => length)).toEqual([50, 50, 20])
    expect(pages.flat()).toEqual(pages.flat().toSorted((a, b) => b - a))
    expect(new Set(pages.flat()).size).toBe(120)
  })

  it('[REL-03] refuses the thousand and first with what can be done', () => {
    const insert = base.db.prepare('insert into block values (?, ?, 1)')
    for (let n = 0; n < MAX_BLOCKS; n++) insert.run(ada, addGuest(`misafir${n}`))
    addGuest('fazla')
    expect(command('blockUser', { blockedUsername: 'fazla' }).refusal).toMatchObject({
      code: 'TooManyBlocks',
      message: 'En fazla 1.000 kişiyi engelleyebilirsiniz. Önce birinin engelini kaldırın.',
    })
    expect(command('blockUser', { blockedUsername: 'misafir7' }).answer).toEqual({ success: true })
    command('unblockUser', { blockedUsername: 'misafir7' })
    expect(command('blockUser', { blockedUsername: 'fazla' }).answer).toEqual({ success: true })
  })

  it('[REL-14] goes by the person: a new name is shown, and who takes the name of a gone guest is not blocked', () => {
    const can = base.addMember('can')
    const gone = addGuest('ali')
    for (const blockedUsername of ['can', 'ali']) command('blockUser', { blockedUsername })
    base.db.prepare("update user set username = 'Cancan', foldedName = 'cancan' where id = ?").run(can)
    base.db.prepare('update user set nameReleasedAt = 5 where id = ?').run(gone)
    const newcomer = addGuest('ali')
    expect(namesListed()).toEqual(['ali', 'Cancan'])
    expect(listBlockedUsers(base.read, ada).blockedUsers[0]).toMatchObject({ id: gone, isGone: true })
    expect(isBlockedBetween(base.read, ada, newcomer)).toBe(false)

    command('blockUser', { blockedUsername: 'ali' })
    expect(namesListed()).toEqual(['ali', 'ali', 'Cancan'])
    command('unblockUser', { blockedUsername: 'ali', blockedUserId: gone })
    expect(isBlockedBetween(base.read, ada, newcomer)).toBe(true)
    command('blockUser', { blockedUsername: 'ali', blockedUserId: gone })
    command('unblockUser', { blockedUsername: 'ALİ' })
    expect(namesListed()).toEqual(['Cancan'])
  })

  it('[REL-14] a block of somebody who has another name by now is lifted by the name that a page still has', () => {
    const can = base.addMember('can')
    command('blockUser', { blockedUsername: 'can' })
    base.db.prepare("update user set username = 'Cancan', foldedName = 'cancan' where id = ?").run(can)
    command('unblockUser', { blockedUsername: 'can', blockedUserId: can })
    expect(namesListed()).toEqual([])
  })

  it("[REL-14] a guest's own blocks end with the guest, and those of others stay", () => {
    base.addMember('can')
    const guest = addGuest('misafir')
    base.db
      .prepare("insert into session (id, userId, platform, createdAt, lastSeenAt) values (?, ?, 'web', ?, ?)")
      .run(guest, guest, 1, 1)
    command('blockUser', { blockedUsername: 'can' }, guest)
    command('blockUser', { blockedUsername: 'misafir' })
    base.run({ command: 'sweepAccounts' })
    const left = base.db.prepare('select blockerId, blockedId from block').all()
    expect(left).toEqual([{ blockerId: ada, blockedId: guest }])
  })

  it('[REL-14] a guest who becomes a member keeps their blocks, and stays blocked', () => {
    const can = base.addMember('can')
    const guest = addGuest('misafir')
    base.db
      .prepare("insert into session (id, userId, platform, createdAt, lastSeenAt) values (?, ?, 'web', ?, ?)")
      .run(guest, guest, 1, 1)
    command('blockUser', { blockedUsername: 'can' }, guest)
    command('blockUser', { blockedUsername: 'misafir' })
    const fingerprint = { browserHash: null, addressHash: null }
    const entry = { browserId: null, platform: 'web', fingerprint, gender: null, age: 20, termsVersion: '1' }
    const input = { ...entry, username: 'Uyecik', passwordHash: 'none' }
    expect(command('registerMember', input, guest).refusal).toBeUndefined()
    expect(namesListed()).toEqual(['Uyecik'])
    expect(isBlockedBetween(base.read, guest, can)).toBe(true)
  })
})
