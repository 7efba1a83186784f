import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Fingerprint } from '../../model/fingerprints/queries.ts'
import { deleteRemovedMessages } from '../../model/moderation/remove-messages.ts'
import { giveMoney } from '../../testing/fixtures/money.ts'
import { createOwnedRoom, type OwnedRoom } from '../../testing/fixtures/owned-room.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { sendHello, type TestUser } from '../../testing/fixtures/test-region.ts'
import { runSql } from '../../testing/fixtures/test-rooms.ts'
import { changeRole } from '../accounts/roles/change-role.ts'
import { openGuestSession } from '../accounts/sign-in/open-guest-session.ts'
import { registerMember } from '../accounts/sign-up/register-member.ts'
import { signToken } from '../accounts/tokens/tokens.ts'
import { addRoomAdmin } from '../room-management/add-room-admin.ts'
import { removeRoomAdmin } from '../room-management/remove-room-admin.ts'
import { roomAccessRoutes } from './routes.ts'

let api: TestApi
let room: OwnedRoom
beforeAll(async () => {
  const env = { MEYDAN_LIMIT_SCALE: '1000', MEYDAN_JOIN_WAIT_MS: '0' }
  api = await openTestApi(env, (app, _, region) => roomAccessRoutes(app, region.appContext))
})
beforeEach(async () => {
  room = await createOwnedRoom(api.region)
})
afterAll(() => api.close())

type Who = Exclude<keyof OwnedRoom, 'roomId'>
const TERMS = { duration: '1hr', banReason: 'Uygunsuz Mesaj' } as const

const auth = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` })
const ban = (who: TestUser, target: TestUser, terms: object = TERMS) =>
  api.post(`/api/rooms/${room.roomId}/ban`, { username: target.username, ...terms }, auth(who))
const lift = (who: TestUser, target: TestUser) =>
  api.post(`/api/rooms/${room.roomId}/lift-ban/${encodeURIComponent(target.username)}`, {}, auth(who))
const listBans = (who: TestUser) => api.get(`/api/rooms/${room.roomId}/banned-users`, auth(who))
const tryToJoin = async (who: TestUser) =>
  (await api.region.connectAs(who)).request('joinRoom', { roomId: room.roomId })
const BANNED = {
  code: 'RoomBanned',
  message: expect.stringMatching(/^Bu odadan yasaklandın\. Sebep: Uygunsuz Mesaj\. Bitiş: /),
}

describe('banning from a room', () => {
  it.each<[Who, number]>([
    ['owner', 200],
    ['admin', 200],
    ['root', 200],
    ['member', 403],
    ['guest', 403],
  ])('[ENTRY-12] by its %s is answered with %i, as are the list and the lift', async (who, status) => {
    expect(await ban(room[who], room.premium)).toMatchObject({ status })
    expect(await listBans(room[who])).toMatchObject({ status })
    expect(await lift(room[who], room.premium)).toMatchObject({ status })
  })

  it.each<[Who, Who, string]>([
    ['admin', 'owner', 'Oda sahibi ve oda adminleri yasaklanamaz.'],
    ['owner', 'admin', 'Oda sahibi ve oda adminleri yasaklanamaz.'],
    ['admin', 'root', 'Root adminler yasaklanamaz.'],
    ['owner', 'owner', 'Kendini yasaklayamazsın.'],
  ])('[ENTRY-12] by its %s never strikes its %s', async (who, target, message) => {
    expect(await ban(room[who], room[target])).toMatchObject({ status: 403, body: { code: 'Forbidden', message } })
  })

  it('[ENTRY-12] takes the durations and reasons of the site ban, and refuses others and unknown users', async () => {
    for (const duration of ['10min', '1hr', 'indefinite'])
      for (const banReason of ['Uygunsuz Mesaj', 'Uygunsuz Nickname', 'Uygunsuz Fotoğraf', 'Diğer'])
        expect(await ban(room.owner, room.member, { duration, banReason })).toMatchObject({
          body: { ban: { duration, banReason, username: room.member.username, bannedBy: room.owner.username } },
        })
    expect((await listBans(room.owner)).body.bannedUsers).toHaveLength(1)
    for (const terms of [{ duration: '2hr', banReason: 'Diğer' }, { duration: '1hr', banReason: 'x' }, {}])
      expect(await ban(room.owner, room.member, terms)).toMatchObject({ status: 422 })
    expect(await ban(room.owner, { ...room.member, username: 'hiçyok' })).toMatchObject({ status: 404 })
    expect(await lift(room.owner, room.premium)).toMatchObject({ body: { message: 'Bu kullanıcı yasaklı değil.' } })
    room.roomId = 9_999
    expect(await ban(room.root, room.member)).toMatchObject({ body: { code: 'RoomNotFound' } })
  })
})

describe('somebody banned from a room', () => {
  it('[ENTRY-13] is out of it at once on every connection, and alone gets the terms', async () => {
    const { roomId } = room
    const [one, other] = [
      await api.region.connectAs(room.member, roomId),
      await api.region.connectAs(room.member, roomId),
    ]
    const elsewhere = await api.region.connectAs(room.member, 1)
    const bystander = await api.region.connectAs(room.guest, roomId)
    const outsider = await api.region.connectAs(room.premium, 1)
    await one.request('sendMessage', { roomId, content: 'Kaba söz' })
    await elsewhere.request('sendMessage', { roomId: 1, content: 'Meydanda söz' })
    await ban(room.admin, room.member)

    expect(await bystander.waitForEvent('userRoomBanned')).toEqual({
      roomId,
      userId: room.member.userId,
      username: room.member.username,
    })
    expect(await bystander.waitForEvent('removeBannedMessages')).toMatchObject({ roomId, userId: room.member.userId })
    expect(api.region.appContext.presence.isIn(roomId, room.member.userId, null)).toBe(false)
    for (const client of [one, other, elsewhere])
      expect(await client.waitForEvent('bannedNotification')).toMatchObject({
        roomId,
        ...TERMS,
        message: BANNED.message,
      })
    const host = await api.region.connectAs(room.owner, roomId)
    await host.request('sendMessage', { roomId, content: 'Devam edelim' })
    for (const client of [one, other]) {
      expect(await client.request('sendMessage', { roomId, content: 'Hâlâ buradayım' })).toMatchObject({
        code: 'NotInRoom',
      })
      expect(await client.request('getMessages', { roomId })).toMatchObject({ code: 'NotInRoom' })
      expect(client.countEvents('userRoomBanned')).toBe(0)
      expect(JSON.stringify(client.transport.received)).not.toContain('Devam edelim')
    }
    await outsider.request('getRooms', {})
    const names = ['bannedNotification', 'userRoomBanned', 'removeBannedMessages'] as const
    expect(names.map((name) => outsider.countEvents(name))).toEqual([0, 0, 0])
    expect([bystander.countEvents('bannedNotification'), bystander.countEvents('userLeft')]).toEqual([0, 0])
    expect(await elsewhere.request('getMessages', { roomId: 1 })).toMatchObject({
      messages: expect.arrayContaining([expect.objectContaining({ content: 'Meydanda söz' })]),
    })
    expect(await host.request('getMessages', { roomId })).toMatchObject({ messages: [{ content: 'Devam edelim' }] })
  })

  it('[ENTRY-13] leaves no row of theirs in that room, and their others stay', async () => {
    const { roomId } = room
    const client = await api.region.connectAs(room.member, roomId)
    await client.request('sendMessage', { roomId, content: 'Silinecek' })
    await client.request('joinRoom', { roomId: 2 })
    await client.request('sendMessage', { roomId: 2, content: 'Kalacak' })
    await ban(room.owner, room.member)
    await (await api.region.connectAs(room.owner, roomId)).request('sendMessage', { roomId, content: 'Sonra' })
    await api.region.appContext.execute(deleteRemovedMessages, null, {})
    const host = await api.region.connectAs(room.owner, roomId)
    expect(await host.request('searchMessages', { roomId, text: 'Silinecek' })).toMatchObject({ messages: [] })
    await host.request('joinRoom', { roomId: 2 })
    expect(await host.request('getMessages', { roomId: 2 })).toMatchObject({ messages: [{ content: 'Kalacak' }] })
  })

  it('[ENTRY-14] may not come back: no join, no resume, no watch, no mention, under no session', async () => {
    const { roomId } = room
    const { appContext } = api.region
    const cursor = appContext.reader.cursor()
    await ban(room.owner, room.member)
    expect(await tryToJoin(room.member)).toMatchObject(BANNED)
    const client = api.region.openConnection()
    expect(await sendHello(client, room.member, { cursor, roomId })).not.toHaveProperty('roomId')
    expect(await client.request('joinRoom', { roomId, cursor })).toMatchObject(BANNED)
    expect(await client.request('watchRooms', { roomIds: [roomId] })).toEqual({ rooms: [] })
    const host = await api.region.connectAs(room.owner, roomId)
    await host.request('sendMessage', { roomId, content: `@${room.member.username} duyma` })
    await client.request('getRooms', {})
    expect(client.countEvents('mentionNotification') + client.countEvents('roomActivity')).toBe(0)
    expect(await api.post(`/api/rooms/${roomId}/check-password`, { password: 'x' }, auth(room.member))).toMatchObject({
      body: { code: 'RoomBanned' },
    })
  })

  it('[ENTRY-14] is refused by the writer while a region still has them in the room', async () => {
    const { roomId } = room
    const { appContext } = api.region
    const client = await api.region.connectAs(room.member, roomId)
    const [connection] = appContext.presence.connectionsOf(room.member.userId)
    await ban(room.owner, room.member)
    if (connection) appContext.presence.enterRoom(connection, roomId)
    expect(await client.request('sendMessage', { roomId, content: 'Yarış' })).toMatchObject(BANNED)
    giveMoney(appContext.config.databaseFile, { userId: room.member.userId, amountKurus: 1_000 })
    const host = await api.region.connectAs(room.owner, roomId)
    const gift = { giftKindId: 1, recipientId: room.owner.userId, roomId }
    expect(await client.request('sendGift', gift)).toMatchObject({ success: true })
    await host.waitForEvent('giftReceived')
    expect([host.countEvents('giftSent'), host.countEvents('message')]).toEqual([0, 0])
    expect(await client.request('getMessages', { roomId })).toMatchObject(BANNED)
  })

  it('[ENTRY-15] comes back when it ends, or when it is lifted', async () => {
    await ban(room.owner, room.member, { ...TERMS, duration: '10min' })
    await ban(room.admin, room.premium, { ...TERMS, duration: 'indefinite' })
    expect(await tryToJoin(room.premium)).toMatchObject({
      message: 'Bu odadan süresiz olarak yasaklandın. Sebep: Uygunsuz Mesaj.',
    })
    expect((await listBans(room.owner)).body).toMatchObject({
      bannedUsers: [
        { username: room.premium.username, endsAt: null, bannedBy: room.admin.username },
        { username: room.member.username, duration: '10min', bannedBy: room.owner.username },
      ],
      next: null,
    })
    api.region.clockOffset.aheadMs += 10 * 60_000
    expect(await tryToJoin(room.member)).toMatchObject({ room: { id: room.roomId } })
    expect(await tryToJoin(room.premium)).toMatchObject({ code: 'RoomBanned' })
    expect((await listBans(room.owner)).body.bannedUsers).toHaveLength(1)
    expect(await lift(room.admin, room.premium)).toMatchObject({ status: 200 })
    expect(await tryToJoin(room.premium)).toMatchObject({ room: { id: room.roomId } })
    api.region.clockOffset.aheadMs = 0
  })

  it('[ENTRY-12] is not banned any more as its admin, nor after that, and writes as a root admin', async () => {
    const { roomId } = room
    const { appContext } = api.region
    for (const target of [room.member, room.premium]) await ban(room.owner, target)
    const owner = { ...room.owner, role: 'member' as const }
    const promotion = { roomId, userId: room.member.userId }
    expect(await appContext.execute(addRoomAdmin, owner, promotion)).toMatchObject({ success: true })
    const client = await api.region.connectAs(room.member, roomId)
    const send = (content: string) => client.request('sendMessage', { roomId, content })
    expect(await send('Göreve geldim')).toMatchObject({ success: true })
    expect((await listBans(room.owner)).body).toMatchObject({ bannedUsers: [{ username: room.premium.username }] })
    await appContext.execute(removeRoomAdmin, owner, promotion)
    expect(await send('Görevim bitti')).toMatchObject({ success: true })

    const root = { ...room.root, role: 'rootadmin' as const }
    await appContext.execute(changeRole, root, { username: room.premium.username, role: 'rootadmin' })
    const promoted = await api.region.connectAs(await api.region.renewToken(room.premium), roomId)
    expect(await promoted.request('sendMessage', { roomId, content: 'Buradayım' })).toMatchObject({ success: true })
  })

  it('[ENTRY-14] stays out of no other room', async () => {
    await ban(room.owner, room.member)
    const client = await api.region.connectAs(room.member)
    expect(await client.request('joinRoom', { roomId: 1 })).toMatchObject({ room: { id: 1 } })
  })
})

describe('a guest banned from a room', () => {
  let names = 0
  const browser = (hash: string | null, address: string | null): Fingerprint => ({
    browserHash: hash,
    addressHash: address,
  })
  async function enter(fingerprint: Fingerprint): Promise<TestUser> {
    const { appContext } = api.region
    const username = `konuk${++names}`
    const input = { username, gender: null, platform: 'web' as const, fingerprint }
    const opened = await appContext.execute(openGuestSession, null, input)
    if (!('userId' in opened)) return expect.unreachable(opened.body.code)
    return { ...opened, username, token: await signToken(appContext.keys, 'userToken', opened, appContext.clock()) }
  }
  async function register(fingerprint: Fingerprint, own: TestUser | null = null): Promise<TestUser> {
    const { appContext } = api.region
    const username = `üyekonuk${++names}`
    const account = { username, passwordHash: 'none', age: 30, gender: null, termsVersion: 'none' }
    const input = { ...account, platform: 'web' as const, fingerprint }
    const opened = await appContext.execute(registerMember, own, input)
    if (!('userId' in opened)) return expect.unreachable(opened.body.code)
    return { ...opened, username, token: await signToken(appContext.keys, 'userToken', opened, appContext.clock()) }
  }

  it('[ENTRY-14] does not return by another name from the same browser or address', async () => {
    const guest = await enter(browser('b1', 'a1'))
    const neighbour = await enter(browser('b2', 'a1'))
    await ban(room.owner, guest)
    expect(await tryToJoin(guest)).toMatchObject(BANNED)
    for (const fingerprint of [browser('b1', null), browser('b1', 'a9'), browser('b9', 'a1')])
      expect(await tryToJoin(await enter(fingerprint))).toMatchObject(BANNED)
    // Households share an address: those who were on the site before are not meant.
    expect(await tryToJoin(neighbour)).toMatchObject({ room: {} })
    expect(await tryToJoin(await enter(browser('b3', 'a3')))).toMatchObject({ room: {} })
  })

  it('[ENTRY-14] is refused with a second session of the same browser, which leaves the room at once', async () => {
    const guest = await enter(browser('b7', 'a7'))
    const second = await enter(browser('b7', 'a8'))
    const client = await api.region.connectAs(second, room.roomId)
    await ban(room.owner, guest)
    expect(await client.waitForEvent('bannedNotification')).toMatchObject({ roomId: room.roomId, ...TERMS })
    expect(api.region.appContext.presence.isIn(room.roomId, second.userId, null)).toBe(false)
    expect(await tryToJoin(second)).toMatchObject(BANNED)
  })

  it('[ENTRY-14] does not return by signing up, with the own session, a new name or a new account', async () => {
    const guest = await enter(browser('b4', 'a4'))
    await ban(room.owner, guest)
    const later = await enter(browser('b4', 'a4'))
    expect(await tryToJoin(await register(browser('b4', 'a4'), guest))).toMatchObject(BANNED)
    expect(await tryToJoin(await register(browser('b4', 'a4'), later))).toMatchObject(BANNED)
    expect(await tryToJoin(await register(browser('b4', 'a4')))).toMatchObject(BANNED)
    expect(await tryToJoin(await register(browser('b5', 'a5')))).toMatchObject({ room: {} })
  })

  it('[ENTRY-15] stays out when one whom the ban covers becomes an admin of the room', async () => {
    const member = await register(browser('b8', 'a8'))
    const guest = await enter(browser('b8', null))
    await ban(room.owner, guest)
    for (const who of [guest, member]) expect(await tryToJoin(who)).toMatchObject(BANNED)
    const promotion = { roomId: room.roomId, userId: member.userId }
    const owner = { ...room.owner, role: 'member' as const }
    expect(await api.region.appContext.execute(addRoomAdmin, owner, promotion)).toMatchObject({ success: true })
    expect(await tryToJoin(member)).toMatchObject({ room: {} })
    expect(await tryToJoin(guest)).toMatchObject(BANNED)
  })

  it('[ENTRY-15] is out again with those whom an earlier ban covered until its end', async () => {
    const guest = await enter(browser('b10', null))
    await ban(room.owner, guest)
    const other = await enter(browser('b10', null))
    expect(await tryToJoin(other)).toMatchObject(BANNED)
    runSql(api.region, 'update restriction set endsAt = 1 where roomId = ?', room.roomId)
    const client = await api.region.connectAs(other, room.roomId)
    await ban(room.owner, guest)
    expect(await client.waitForEvent('bannedNotification')).toMatchObject({ roomId: room.roomId })
    expect(await tryToJoin(other)).toMatchObject(BANNED)
  })

  it('[ENTRY-15] returns when the ban is lifted', async () => {
    const guest = await enter(browser('b6', 'a6'))
    await ban(room.owner, guest)
    expect(await lift(room.owner, guest)).toMatchObject({ status: 200 })
    expect(await tryToJoin(guest)).toMatchObject({ room: {} })
    expect(await tryToJoin(await enter(browser('b6', 'a6')))).toMatchObject({ room: {} })
  })
})
