import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BanDuration } from '../../../shared/moderation/protocol.ts'
import { changeRole } from '../../features/accounts/roles/change-role.ts'
import { openGuestSession } from '../../features/accounts/sign-in/open-guest-session.ts'
import { registerMember } from '../../features/accounts/sign-up/register-member.ts'
import { signToken } from '../../features/accounts/tokens/tokens.ts'
import { addRoomAdmin } from '../../features/room-management/add-room-admin.ts'
import { changeRoomSettings } from '../../features/room-management/change-room-settings.ts'
import { liftMute } from '../../features/sanctions/lift-mute.ts'
import { muteUser } from '../../features/sanctions/mute-user.ts'
import { RowCache } from '../../kernel/database/row-cache.ts'
import { request } from '../../testing/calls/call-steps.ts'
import { send } from '../../testing/fixtures/direct-messages.ts'
import { createOwnedRoom, type OwnedRoom } from '../../testing/fixtures/owned-room.ts'
import { openTestRegion, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'
import { runSql } from '../../testing/fixtures/test-rooms.ts'
import { userById } from '../accounts/queries.ts'
import type { Fingerprint } from '../fingerprints/queries.ts'
import { listRestrictions } from '../restrictions/queries.ts'
import { findTextRefusal } from './access.ts'

let region: TestRegion
let room: OwnedRoom
beforeAll(async () => {
  region = await openTestRegion({
    MEYDAN_LIMIT_SCALE: '1000',
    MEYDAN_JOIN_WAIT_MS: '0',
    MEYDAN_RELAY_ADDRESSES: '127.0.0.1',
  })
})
beforeEach(async () => {
  room = await createOwnedRoom(region)
})
afterAll(() => region.destroy())

type Who = Exclude<keyof OwnedRoom, 'roomId'>
interface Terms {
  roomId?: number | null
  duration?: BanDuration
  reason?: string
}
const mute = (who: TestUser, { username }: Pick<TestUser, 'username'>, terms: Terms = {}) =>
  region.appContext.execute(muteUser, who, { username, roomId: null, duration: '1hr', reason: 'Hakaret', ...terms })
const lift = (who: TestUser, { username }: TestUser, roomId: number | null = null) =>
  region.appContext.execute(liftMute, who, { username, roomId })
const listMutes = (roomId?: number) =>
  listRestrictions(region.appContext.reader, { kinds: ['mute'], roomId }, Date.now()).items
const say = async (who: TestUser, roomId = room.roomId) =>
  (await region.connectAs(who, roomId)).request('sendMessage', { roomId, content: `Söz ${randomUUID()}` })
const MUTED = { code: 'Muted', message: expect.stringMatching(/^Susturuldun\. Sebep: Hakaret\. Bitiş: /) }
const MUTED_HERE = { code: 'Muted', message: expect.stringMatching(/^Bu odada susturuldun\. Sebep: Hakaret\. Bitiş: /) }

describe('muting', () => {
  it.each<[Who, boolean, boolean]>([
    ['root', true, true],
    ['owner', false, true],
    ['admin', false, true],
    ['member', false, false],
    ['guest', false, false],
  ])('[SANCTION-05] by the %s: on the site %s, in the room %s', async (who, onSite, inRoom) => {
    const expected = (mayMute: boolean) => (mayMute ? { success: true } : { body: { code: 'Forbidden' } })
    expect(await mute(room[who], room.premium)).toMatchObject(expected(onSite))
    expect(await mute(room[who], room.premium, { roomId: room.roomId })).toMatchObject(expected(inRoom))
    expect(await lift(room[who], room.premium)).toMatchObject(expected(onSite))
    expect(await lift(room[who], room.premium, room.roomId)).toMatchObject(expected(inRoom))
  })

  it.each<[Who, Who, string]>([
    ['admin', 'owner', 'Oda sahibi ve oda adminleri susturulamaz.'],
    ['owner', 'admin', 'Oda sahibi ve oda adminleri susturulamaz.'],
    ['admin', 'root', 'Root adminler susturulamaz.'],
    ['owner', 'owner', 'Kendini susturamazsın.'],
  ])('[SANCTION-05] in the room by its %s never strikes its %s', async (who, target, message) => {
    expect(await mute(room[who], room[target], { roomId: room.roomId })).toMatchObject({
      body: { code: 'Forbidden', message },
    })
  })

  it('[SANCTION-21] by a root admin is neither lifted nor replaced by the staff of the room', async () => {
    const { root, owner, admin, guest, roomId } = room
    await mute(root, guest, { roomId })
    const refusal = { body: { code: 'Forbidden', message: 'Bu kullanıcıyı bir root admin susturdu.' } }
    for (const staff of [owner, admin]) {
      expect(await lift(staff, guest, roomId)).toMatchObject(refusal)
      expect(await mute(staff, guest, { roomId, duration: '10min' })).toMatchObject(refusal)
    }
    expect(await say(guest)).toMatchObject(MUTED_HERE)
    expect(await lift(root, guest, roomId)).toMatchObject({ success: true })
    expect(await mute(admin, guest, { roomId })).toMatchObject({ success: true })
    expect(await lift(owner, guest, roomId)).toMatchObject({ success: true })
  })

  it('[SANCTION-05] is refused for unknown rooms and people, and where nobody is muted', async () => {
    expect(await mute(room.root, room.member, { roomId: 9_999 })).toMatchObject({ body: { code: 'RoomNotFound' } })
    expect(await mute(room.root, { username: 'hiçyok' })).toMatchObject({ body: { code: 'NotFound' } })
    expect(await lift(room.root, room.member)).toMatchObject({ body: { message: 'Bu kullanıcı susturulmuş değil.' } })
  })
})

describe('somebody muted', () => {
  it('[SANCTION-06] on the site writes to no room and to nobody but root admins', async () => {
    const client = await region.connectAs(room.member, room.roomId)
    await mute(room.root, room.member)
    expect(await say(room.member)).toMatchObject(MUTED)
    expect(await say(room.member, 1)).toMatchObject(MUTED)
    expect(await send(client, room.owner, 'Selam')).toMatchObject(MUTED)
    expect(await send(client, room.root, 'İtiraz ediyorum')).toMatchObject({ success: true })
    expect(await say(room.premium)).toMatchObject({ success: true })
  })

  it('[SANCTION-06] on the site is not shown as typing, calls nobody and is called', async () => {
    const { roomId, member, owner, root } = room
    const client = await region.connectAs(member, roomId)
    const [other, admin] = [await region.connectAs(owner, roomId), await region.connectAs(root)]
    await mute(root, member)
    expect(await client.request('typing', { roomId })).toMatchObject(MUTED)
    await client.request('directTyping', { userId: owner.userId })
    await client.request('directTyping', { userId: root.userId })
    expect(await admin.waitForEvent('directTyping')).toMatchObject({ userId: member.userId })
    expect(other.countEvents('directTyping') + other.countEvents('typing')).toBe(0)
    expect(await request(client, owner.username)).toMatchObject(MUTED)
    expect(other.countEvents('dmVoiceCallRequest')).toBe(0)
    expect(await request(other, member.username)).toMatchObject({ role: 'caller' })
    expect(await client.waitForEvent('dmVoiceCallRequest')).toMatchObject({ senderUsername: owner.username })
  })

  it('[SANCTION-06] on the site publishes no post, comment and text of a room, and still edits a profile', async () => {
    await mute(room.root, room.member)
    const { appContext } = region
    const sender = appContext.reader.get(userById, { id: room.member.userId }) ?? expect.unreachable()
    const tx = { cached: new RowCache(appContext.reader) }
    const places = [
      { kind: 'post' },
      { kind: 'comment', postId: 1 },
      { kind: 'profile' },
      { kind: 'roomText' },
    ] as const
    const verdicts = places.map(
      (place) => findTextRefusal(tx, { sender, place }, appContext.clock())?.body.code ?? null,
    )
    expect(verdicts).toEqual(['Muted', 'Muted', null, 'Muted'])
  })

  it('[SANCTION-06] on the site does not greet those who enter an own room', async () => {
    const { roomId } = room
    const owner = { ...room.owner, role: 'member' as const }
    const greet = (greetingMessage: string) =>
      region.appContext.execute(changeRoomSettings, owner, { roomId, greetingMessage })
    expect(await greet('Hoş geldin')).toMatchObject({ greetingMessage: 'Hoş geldin' })
    await mute(room.root, room.owner)
    expect(await greet('Susturuldum ama yazıyorum')).toMatchObject({ body: MUTED })
    expect(await greet('')).toMatchObject({ greetingMessage: null })
  })

  it('[SANCTION-05] is not muted any more as an admin of the room, nor as a root admin', async () => {
    const { appContext } = region
    const root = { ...room.root, role: 'rootadmin' as const }
    await mute(room.owner, room.member, { roomId: room.roomId, duration: 'indefinite' })
    const owner = { ...room.owner, role: 'member' as const }
    await appContext.execute(addRoomAdmin, owner, { roomId: room.roomId, userId: room.member.userId })
    expect(await say(room.member)).toMatchObject({ success: true })
    await mute(root, room.premium)
    await appContext.execute(changeRole, root, { username: room.premium.username, role: 'rootadmin' })
    const promoted = await region.renewToken(room.premium)
    expect(await say(promoted)).toMatchObject({ success: true })
    expect((await region.connectAs(promoted)).countEvents('ownSanctions')).toBe(0)
  })

  it('[SANCTION-06] in a room writes everywhere else', async () => {
    const client = await region.connectAs(room.member, room.roomId)
    await mute(room.admin, room.member, { roomId: room.roomId })
    expect(await say(room.member)).toMatchObject(MUTED_HERE)
    expect(await say(room.member, 1)).toMatchObject({ success: true })
    expect(await send(client, room.owner, 'Selam')).toMatchObject({ success: true })
  })

  it('[SANCTION-07] writes again when the time is over, or when it is lifted', async () => {
    await mute(room.root, room.member, { duration: '10min' })
    await mute(room.owner, room.premium, { duration: 'indefinite', roomId: room.roomId })
    expect(await say(room.premium)).toMatchObject({ message: 'Bu odada susturuldun. Sebep: Hakaret. Süresiz.' })
    // The writer has the machine's clock.
    runSql(region, 'update restriction set endsAt = endsAt - 600000 where userId = ?', room.member.userId)
    expect(await say(room.member)).toMatchObject({ success: true })
    expect(listMutes()).not.toContainEqual(expect.objectContaining({ userId: room.member.userId }))
    expect(await say(room.premium)).toMatchObject({ code: 'Muted' })
    expect(await lift(room.admin, room.premium, room.roomId)).toEqual({ success: true })
    expect(await say(room.premium)).toMatchObject({ success: true })
  })

  it('[SANCTION-05] gets the reason in one line, without characters that turn or hide text', async () => {
    const { roomId, owner, member } = room
    expect(await mute(owner, member, { roomId, reason: '\u202Eteraka\nH\u0007' })).toMatchObject({
      mute: { reason: 'teraka H' },
    })
  })

  it('[SANCTION-07] has only the last terms of a place, and the site and the room apart', async () => {
    const { roomId, member } = room
    await mute(room.root, member, { duration: 'indefinite' })
    await mute(room.root, member, { duration: '10min', reason: 'Spam' })
    await mute(room.owner, member, { roomId, duration: '10min' })
    expect(listMutes().filter(({ userId }) => userId === member.userId)).toMatchObject([
      { roomId, roomName: expect.any(String), reason: 'Hakaret', imposedBy: room.owner.username },
      { roomId: null, roomName: null, reason: 'Spam', duration: '10min', imposedBy: room.root.username },
    ])
    expect(listMutes(roomId)).toHaveLength(1)
    await lift(room.root, member)
    expect(await say(member)).toMatchObject({ code: 'Muted' })
    expect(await say(member, 1)).toMatchObject({ success: true })
  })

  it('[SANCTION-09] gets the terms and their end on each connection; of others only root admins get an event', async () => {
    const { roomId, member } = room
    const [one, other] = [await region.connectAs(member, roomId), await region.connectAs(member)]
    const bystanders = [await region.connectAs(room.guest, roomId), await region.connectAs(room.owner, roomId)]
    const root = await region.connectAs(room.root)
    await mute(room.admin, member, { roomId })
    const terms = { roomId, reason: 'Hakaret', endsAt: expect.any(Number) }
    for (const client of [one, other])
      expect(await client.waitForEvent('ownMuteChanged')).toEqual({ roomId, mute: terms })
    expect(await root.waitForEvent('userMuted')).toMatchObject({ username: member.username, roomId })
    expect(await (await region.connectAs(member)).waitForEvent('ownSanctions')).toEqual({
      warnings: [],
      mutes: [terms],
    })
    await lift(room.owner, member, roomId)
    expect(await one.waitForEvent('ownMuteChanged', ({ mute: shown }) => shown === null)).toEqual({
      roomId,
      mute: null,
    })
    expect(await root.waitForEvent('muteLifted')).toMatchObject({ userId: member.userId, roomId })
    for (const client of bystanders) {
      await client.request('getRooms', {})
      const names = ['ownMuteChanged', 'userMuted', 'muteLifted', 'ownSanctions'] as const
      expect(names.map((name) => client.countEvents(name))).toEqual([0, 0, 0, 0])
    }
  })
})

describe('a muted guest', () => {
  let names = 0
  const browser = (browserHash: string | null, addressHash: string | null): Fingerprint => ({
    browserHash,
    addressHash,
  })
  async function enter(fingerprint: Fingerprint): Promise<TestUser> {
    const { appContext } = region
    const username = `konuk${++names}`
    const input = { username, gender: null, platform: 'web' as const, fingerprint }
    const opened = await appContext.execute(openGuestSession, null, input)
    if (!('userId' in opened)) return expect.unreachable(opened.body.code)
    return { ...opened, username, token: await signToken(appContext.keys, 'userToken', opened, appContext.clock()) }
  }
  async function register(fingerprint: Fingerprint, own: TestUser | null = null): Promise<TestUser> {
    const { appContext } = region
    const username = `üyekonuk${++names}`
    const account = { username, passwordHash: 'none', age: 30, gender: null, termsVersion: 'none' }
    const input = { ...account, platform: 'web' as const, fingerprint }
    const opened = await appContext.execute(registerMember, own, input)
    if (!('userId' in opened)) return expect.unreachable(opened.body.code)
    return { ...opened, username, token: await signToken(appContext.keys, 'userToken', opened, appContext.clock()) }
  }

  it('[SANCTION-07] [SANCTION-08] has the last terms under other names too, and is lifted with them', async () => {
    const guest = await enter(browser('b21', null))
    await mute(room.root, guest)
    const later = await enter(browser('b21', null))
    const client = await region.connectAs(later)
    await mute(room.root, guest, { duration: 'indefinite', reason: 'Spam' })
    expect(await client.waitForEvent('ownMuteChanged')).toMatchObject({ mute: { reason: 'Spam', endsAt: null } })
    expect(await lift(room.root, guest)).toEqual({ success: true })
    expect(await say(later, 1)).toMatchObject({ success: true })
  })

  it('[SANCTION-08] stays muted when one whom the mute covers becomes an admin of the room', async () => {
    const guest = await enter(browser('b31', null))
    await mute(room.root, guest, { roomId: room.roomId })
    const other = await register(browser('b31', null))
    const owner = { ...room.owner, role: 'member' as const }
    await region.appContext.execute(addRoomAdmin, owner, { roomId: room.roomId, userId: other.userId })
    expect(await say(other)).toMatchObject({ success: true })
    expect(await say(guest)).toMatchObject(MUTED_HERE)
  })

  it('[SANCTION-08] stays muted under other names and as a new member, until it is lifted for all of them', async () => {
    const guest = await enter(browser('b1', 'a1'))
    const neighbour = await enter(browser('b2', 'a1'))
    await mute(room.root, guest)
    await mute(room.owner, guest, { roomId: room.roomId, duration: 'indefinite' })
    const later = [
      await enter(browser('b1', null)),
      await enter(browser('b9', 'a1')),
      await register(browser('b1', 'a7')),
    ]
    const upgraded = await register(browser('b1', 'a1'), guest)
    for (const who of [...later, upgraded]) {
      expect(await say(who)).toMatchObject({ code: 'Muted' })
      expect(await say(who, 1)).toMatchObject(MUTED)
    }
    // Households share an address: those who were on the site before are not meant.
    expect(await say(neighbour)).toMatchObject({ success: true })
    const [first] = later
    expect(await lift(room.root, first ?? guest)).toEqual({ success: true })
    for (const who of [...later, upgraded]) {
      expect(await say(who, 1)).toMatchObject({ success: true })
      expect(await say(who)).toMatchObject({ code: 'Muted' })
    }
    expect(await say(await enter(browser('b1', 'a1')), 1)).toMatchObject({ success: true })
  })
})
