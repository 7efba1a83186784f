import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MAX_BLOCKS } from '../../../shared/relations/rules.ts'
import { isBlockedBetween } from '../../model/relations/access.ts'
import { listBlockedUsers } from '../../model/relations/queries.ts'
import { stopClock } from '../../testing/fixtures/stop-clock.ts'
import { type ApiResponse, openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { relationRoutes } from './routes.ts'

describe('relationRoutes', () => {
  let api: TestApi
  let testUsers: Record<'ada' | 'can' | 'deniz' | 'kök', TestUser>
  beforeAll(async () => {
    api = await openTestApi({ MEYDAN_LIMIT_SCALE: '100' }, (app, _, site) => relationRoutes(app, site.appContext))
    const { region } = api
    testUsers = {
      ada: await region.createGuest('ada'),
      can: await region.createGuest('Can'),
      deniz: await region.createGuest('deniz'),
      kök: await region.createRootAdmin('kök'),
    }
  })
  afterAll(() => api.close())

  const as = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` })
  const block = (actor: TestUser, blockedUsername: string, more: object = {}): Promise<ApiResponse> =>
    api.post('/api/users/block', { blockedUsername, ...more }, as(actor))
  const unblock = (actor: TestUser, blockedUsername: string, more: object = {}): Promise<ApiResponse> =>
    api.post('/api/users/unblock', { blockedUsername, ...more }, as(actor))
  const getBlockStatus = async (actor: TestUser, username1: string, username2: string) =>
    (await api.get(`/api/users/is-blocked?${new URLSearchParams({ username1, username2 })}`, as(actor))).body
  const getProfile = async (actor: TestUser, name: string) =>
    (await api.get(`/api/users/username/${name}`, as(actor))).body.user
  const listBlocked = async (actor: TestUser) => (await api.get('/api/users/blocked-users', as(actor))).body

  it('[REL-01] [REL-05] [REL-06] blocks and unblocks by folded name, and reports the block in every answer', async () => {
    const { ada, can } = testUsers
    expect((await block(ada, ' CAN ')).body).toEqual({ success: true })
    const row = { blockedUsername: 'Can', userDetails: { avatarUrl: null, gender: null }, id: can.userId }
    expect(await listBlocked(ada)).toEqual({
      success: true,
      blockedUsers: [{ ...row, isGuest: true, isGone: false }],
      next: null,
    })
    expect(await listBlocked(can)).toEqual({ success: true, blockedUsers: [], next: null })
    const own = { success: true, hasBlockedProfile: true, isBlockedByProfile: false }
    const others = { success: true, hasBlockedProfile: false, isBlockedByProfile: true }
    expect(await getBlockStatus(ada, 'ada', 'can')).toEqual(own)
    expect(await getBlockStatus(can, 'ada', 'can')).toEqual(own)
    expect(await getBlockStatus(can, 'can', 'ada')).toEqual(others)
    const { reader } = api.region.appContext
    expect(isBlockedBetween(reader, ada.userId, can.userId)).toBe(true)
    expect(isBlockedBetween(reader, can.userId, ada.userId)).toBe(true)
    expect(isBlockedBetween(reader, ada.userId, testUsers.deniz.userId)).toBe(false)
    expect((await unblock(ada, 'can')).body).toEqual({ success: true })
    expect(await getBlockStatus(ada, 'ada', 'can')).toMatchObject({
      hasBlockedProfile: false,
      isBlockedByProfile: false,
    })
  })

  it('[REL-06] answers is-blocked for root admins and refuses other users', async () => {
    const { ada, deniz, kök } = testUsers
    expect(await getBlockStatus(deniz, 'ada', 'can')).toMatchObject({ success: false, code: 'Forbidden' })
    expect(await getBlockStatus(deniz, 'ada', 'böyle-biri-yok')).toMatchObject({ code: 'Forbidden' })
    expect(await getBlockStatus(kök, 'ada', 'can')).toMatchObject({ success: true })
    expect(await getBlockStatus(kök, 'ada', 'böyle-biri-yok')).toMatchObject({ code: 'NotFound' })
    expect(await getBlockStatus(ada, 'ada', 'böyle-biri-yok')).toMatchObject({ code: 'NotFound' })
    expect(await getBlockStatus(ada, 'ada', 'ada')).toMatchObject({
      hasBlockedProfile: false,
      isBlockedByProfile: false,
    })
  })

  it('[REL-01] refuses oneself, an unknown name, a name that does not match the id, and malformed names', async () => {
    const { ada, can, kök } = testUsers
    expect((await block(ada, 'ADA')).body).toMatchObject({ code: 'Forbidden', message: 'Kendini engelleyemezsin.' })
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
    expect((await listBlocked(ada)).blockedUsers).toEqual([])
    expect((await block(ada, 'kök')).body).toEqual({ success: true })
    expect((await block(kök, 'ada')).body).toEqual({ success: true })
    await unblock(ada, 'kök')
    await unblock(kök, 'ada')
  })

  it('[REL-02] accepts a repeated block or unblock without an event', async () => {
    const { ada, can } = testUsers
    await block(ada, 'can')
    const before = api.region.appContext.reader.cursor()
    expect((await block(ada, 'can')).body).toEqual({ success: true })
    expect((await unblock(ada, 'deniz')).body).toEqual({ success: true })
    expect((await unblock(ada, 'can', { blockedUserId: 999 })).body).toEqual({ success: true })
    expect(api.region.appContext.reader.cursor()).toBe(before)
    expect((await listBlocked(ada)).blockedUsers).toMatchObject([{ id: can.userId }])
    await unblock(ada, 'can')
  })

  it('[REL-04] notifies all connections of the two users, and nobody else', async () => {
    const { ada, can, deniz, kök } = testUsers
    const clients = {
      ada: [await api.region.connectAs(ada, 1), await api.region.connectAs(ada)],
      can: [await api.region.connectAs(can, 2)],
      others: [await api.region.connectAs(deniz, 1), await api.region.connectAs(kök, 1)],
    }
    await block(can, 'ada') // the event also reaches a user who has blocked its sender
    await block(ada, 'can')
    await unblock(ada, 'can')
    const pair = {
      blockerUsername: 'ada',
      blockedUsername: 'Can',
      blockerId: ada.userId,
      blockedId: can.userId,
    }
    const isAdas = ({ blockerId }: Record<string, unknown>) => blockerId === ada.userId
    for (const client of clients.ada) {
      expect(await client.waitForEvent('userBlocked', isAdas)).toEqual({ ...pair, message: 'Can engellendi.' })
      expect(await client.waitForEvent('userUnblocked')).toEqual({ ...pair, message: 'Can engeli kaldırıldı.' })
    }
    for (const client of clients.can) {
      expect(await client.waitForEvent('userBlocked', isAdas)).toEqual({ ...pair, message: 'ada seni engelledi.' })
      expect(await client.waitForEvent('userUnblocked')).toEqual({ ...pair, message: 'ada engelini kaldırdı.' })
    }
    await unblock(can, 'ada')
    const bystanderCounts = clients.others.flatMap((client) => [
      client.countEvents('userBlocked'),
      client.countEvents('userUnblocked'),
    ])
    expect(bystanderCounts).toEqual([0, 0, 0, 0])
    for (const client of Object.values(clients).flat()) client.disconnect()
  })

  it('[REL-13] reduces a profile to the summary for a block in either direction, except for root admins', async () => {
    const { ada, can, deniz, kök } = testUsers
    const none = { hasBlockedProfile: false, isBlockedByProfile: false }
    const profileFields = ['age', 'bio', 'city', 'connectedAt', 'lastActive', 'largeAvatarUrl']
    expect(await getProfile(ada, 'can')).toMatchObject({
      username: 'Can',
      lastActive: expect.any(Number),
      status: none,
    })
    await block(ada, 'can')
    for (const [viewer, name, status] of [
      [ada, 'can', { ...none, hasBlockedProfile: true }],
      [can, 'ada', { ...none, isBlockedByProfile: true }],
    ] as const) {
      const shown = await getProfile(viewer, name)
      expect(shown).toMatchObject({ isOnline: false, isGuest: true, status })
      for (const field of profileFields) expect(shown).not.toHaveProperty(field)
    }
    for (const field of profileFields) expect(await getProfile(deniz, 'can')).toHaveProperty(field)
    await block(can, 'kök')
    const byRoot = await getProfile(kök, 'can')
    for (const field of [...profileFields, 'isBanned']) expect(byRoot).toHaveProperty(field)
    expect(byRoot).toMatchObject({ status: { ...none, isBlockedByProfile: true } })
    await unblock(can, 'kök')
    await unblock(ada, 'can')
    expect(await getProfile(can, 'ada')).toMatchObject({ lastActive: expect.any(Number), status: none })
  })
})

describe('the rate limit of blocks', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await openTestApi({}, (app, _, site) => relationRoutes(app, site.appContext))
  })
  afterAll(() => api.close())

  it('[REL-22] allows 30 changes at once, and then one in 10 seconds', async () => {
    stopClock()
    const { region } = api
    const [blocker, target] = [await region.createGuest('takılan'), await region.createGuest('takılınan')]
    const client = await region.connectAs(target)
    const change = async (turn: number, actor = blocker, blockedUsername = 'takılınan') => {
      const path = turn % 2 === 0 ? '/api/users/block' : '/api/users/unblock'
      return api.post(path, { blockedUsername }, { authorization: `Bearer ${actor.token}` })
    }
    for (let turn = 0; turn < 30; turn++) expect((await change(turn)).status).toBe(200)
    for (const turn of [30, 31]) {
      expect(await change(turn)).toMatchObject({ status: 429, body: { code: 'RateLimited' } })
    }
    await client.request('getRooms', {})
    expect([client.countEvents('userBlocked'), client.countEvents('userUnblocked')]).toEqual([15, 15])
    expect((await change(0, target, 'takılan')).status).toBe(200)
    region.clockOffset.aheadMs += 10_000
    expect((await change(30)).status).toBe(200)
  })
})

describe('the block commands', () => {
  let database: TestDatabase
  let ada: number
  beforeEach(async () => {
    database = await openTestDatabase()
    ada = database.addMember('ada')
  })
  afterEach(() => database.close())

  const command = (name: string, input: object, userId = ada) => {
    database.clock.now += 1
    return database.run({ command: name, actor: { userId, sessionId: userId }, input })
  }
  const listBlockedNames = () =>
    listBlockedUsers(database.read, ada).blockedUsers.map(({ blockedUsername }) => blockedUsername)
  const addGuest = (username: string, nameReleasedAt: number | null = null): number =>
    Number(
      database.db
        .prepare(
          `insert into user (username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt, nameReleasedAt)
           values (?, lower(?), 1, 'guest', 'web', 0, 0, ?)`,
        )
        .run(username, username, nameReleasedAt).lastInsertRowid,
    )

  it('[REL-05] list blocked users newest first, in pages without gaps', () => {
    for (let n = 100; n < 220; n++)
      command('blockUser', { blockedUsername: `kisi${database.addMember(`kisi${n}`) && n}` })
    // Blocks with the same time have a stable order too.
    database.db.prepare('update block set createdAt = createdAt / 7').run()
    const pages: number[][] = []
    for (let next: string | null | undefined; next !== null; ) {
      const page: ReturnType<typeof listBlockedUsers> = listBlockedUsers(database.read, ada, next)
      pages.push(page.blockedUsers.map(({ id }) => id))
      next = page.next
    }
    expect(pages.map(({ length }) => length)).toEqual([50, 50, 20])
    expect(pages.flat()).toEqual(pages.flat().toSorted((a, b) => b - a))
    expect(new Set(pages.flat()).size).toBe(120)
  })

  it('[REL-03] refuse a block beyond 1,000 with a message that says what to do', () => {
    const insert = database.db.prepare('insert into block (blockerId, blockedId, createdAt) values (?, ?, 1)')
    for (let n = 0; n < MAX_BLOCKS; n++) insert.run(ada, addGuest(`misafir${n}`))
    addGuest('fazla')
    expect(command('blockUser', { blockedUsername: 'fazla' }).refusal).toMatchObject({
      code: 'TooManyBlocks',
      message: 'En fazla 1.000 kişiyi engelleyebilirsin. Önce birinin engelini kaldır.',
    })
    expect(command('blockUser', { blockedUsername: 'misafir7' }).answer).toEqual({ success: true })
    command('unblockUser', { blockedUsername: 'misafir7' })
    expect(command('blockUser', { blockedUsername: 'fazla' }).answer).toEqual({ success: true })
  })

  it('[REL-14] apply to user ids: a new name is shown, and a later holder of a released name is not blocked', () => {
    const can = database.addMember('can')
    const formerGuest = addGuest('ali')
    for (const blockedUsername of ['can', 'ali']) command('blockUser', { blockedUsername })
    database.db.prepare("update user set username = 'Cancan', foldedName = 'cancan' where id = ?").run(can)
    database.db.prepare('update user set nameReleasedAt = 5 where id = ?').run(formerGuest)
    const newcomer = addGuest('ali')
    expect(listBlockedNames()).toEqual(['ali', 'Cancan'])
    expect(listBlockedUsers(database.read, ada).blockedUsers[0]).toMatchObject({ id: formerGuest, isGone: true })
    expect(isBlockedBetween(database.read, ada, newcomer)).toBe(false)

    command('blockUser', { blockedUsername: 'ali' })
    expect(listBlockedNames()).toEqual(['ali', 'ali', 'Cancan'])
    command('unblockUser', { blockedUsername: 'ali', blockedUserId: formerGuest })
    expect(isBlockedBetween(database.read, ada, newcomer)).toBe(true)
    command('blockUser', { blockedUsername: 'ali', blockedUserId: formerGuest })
    command('unblockUser', { blockedUsername: 'ALİ' })
    expect(listBlockedNames()).toEqual(['Cancan'])
  })

  it('[REL-14] lift a block by id when the page still has the former name', () => {
    const can = database.addMember('can')
    command('blockUser', { blockedUsername: 'can' })
    database.db.prepare("update user set username = 'Cancan', foldedName = 'cancan' where id = ?").run(can)
    command('unblockUser', { blockedUsername: 'can', blockedUserId: can })
    expect(listBlockedNames()).toEqual([])
  })

  it("[REL-14] a guest's own blocks are deleted with the guest, and blocks of the guest stay", () => {
    database.addMember('can')
    const guest = addGuest('misafir')
    database.db
      .prepare("insert into session (id, userId, platform, createdAt, lastSeenAt) values (?, ?, 'web', ?, ?)")
      .run(guest, guest, 1, 1)
    command('blockUser', { blockedUsername: 'can' }, guest)
    command('blockUser', { blockedUsername: 'misafir' })
    database.run({ command: 'sweepAccounts' })
    const remaining = database.db.prepare('select blockerId, blockedId from block').all()
    expect(remaining).toEqual([{ blockerId: ada, blockedId: guest }])
  })

  it('[REL-14] a guest who becomes a member keeps their blocks and stays blocked', () => {
    const can = database.addMember('can')
    const guest = addGuest('misafir')
    database.db
      .prepare("insert into session (id, userId, platform, createdAt, lastSeenAt) values (?, ?, 'web', ?, ?)")
      .run(guest, guest, 1, 1)
    command('blockUser', { blockedUsername: 'can' }, guest)
    command('blockUser', { blockedUsername: 'misafir' })
    const fingerprint = { browserHash: null, addressHash: null }
    const signInContext = { platform: 'web', fingerprint, gender: null, age: 20, termsVersion: '1' }
    const input = { ...signInContext, username: 'Uyecik', passwordHash: 'none' }
    expect(command('registerMember', input, guest).refusal).toBeUndefined()
    expect(listBlockedNames()).toEqual(['Uyecik'])
    expect(isBlockedBetween(database.read, guest, can)).toBe(true)
  })
})
