import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ghostBanGuest } from '../../src/server/features/moderation/ghost-ban-guest.ts'
import { muteUser } from '../../src/server/features/sanctions/mute-user.ts'
import { toWireJsonSchema } from '../../src/server/kernel/protocol/json-schema.ts'
import { createOwnedRoom, type OwnedRoom } from '../../src/server/testing/fixtures/owned-room.ts'
import type { TestUser } from '../../src/server/testing/fixtures/test-region.ts'
import { type CommandName, commands, routes } from '../../src/shared/protocol/catalogue.ts'
import type { CommandSpec, RouteSpec } from '../../src/shared/protocol/define.ts'
import { type HttpRegion, startHttpRegion } from '../drivers/http-region.ts'

/**
 * The staff of the room, and others: `stranger` owns another room, `banned` is banned from this one, `muted` is muted on
 * the site, and `ghost` is a ghost-banned guest.
 */
const ROLES = ['owner', 'admin', 'root', 'member', 'premium', 'guest', 'stranger', 'banned', 'muted', 'ghost'] as const
type Role = (typeof ROLES)[number]

/** The roles that pass; the others are refused with Forbidden. */
const STAFF: readonly Role[] = ['owner', 'admin', 'root']
const OWNER: readonly Role[] = ['owner', 'root']
/** No role in the room decides: what anybody may know, or what concerns the caller alone. */
const NO_ROLE = null

/** Who may use a route about a room, and its body; `:id` is the room's. A route that is not here fails. */
const ROUTES: Record<string, { allowed: readonly Role[] | null; body?: () => object }> = {
  setMessagePreference: { allowed: STAFF, body: () => ({ roomId: room.roomId, messagePreference: 'everyone' }) },
  setMediaPreference: { allowed: STAFF, body: () => ({ roomId: room.roomId, mediaPreference: 'everyone' }) },
  setRoomPassword: { allowed: STAFF, body: () => ({ password: 'açıl susam' }) },
  removeRoomPassword: { allowed: STAFF },
  banFromRoom: {
    allowed: STAFF,
    body: () => ({ username: bystander.username, duration: '10min', banReason: 'Diğer' }),
  },
  roomBannedUsers: { allowed: STAFF },
  liftRoomBan: { allowed: STAFF },
  muteInRoom: {
    allowed: STAFF,
    body: () => ({ username: bystander.username, duration: '10min', reason: 'Hakaret' }),
  },
  roomMutedUsers: { allowed: STAFF },
  liftRoomMute: { allowed: STAFF },
  setGreetingMessage: { allowed: STAFF, body: () => ({ greetingMessage: 'Selam' }) },
  setBackground: { allowed: STAFF },
  removeBackground: { allowed: STAFF },
  setSlowMode: { allowed: STAFF, body: () => ({ roomId: room.roomId, slowModeSeconds: 0 }) },
  roomVisitors: { allowed: STAFF },
  sendRoomPopup: { allowed: STAFF, body: () => ({ roomId: room.roomId, message: 'Duyuru' }) },
  addRoomAdmin: { allowed: OWNER, body: () => ({ roomId: room.roomId, userId: bystander.userId }) },
  removeRoomAdmin: { allowed: OWNER, body: () => ({ roomId: room.roomId, userId: bystander.userId }) },
  renewRoom: { allowed: ['owner'], body: () => ({ capacityOptionId: 1, durationOptionId: 1 }) },
  checkRoomPassword: { allowed: NO_ROLE },
  listRooms: { allowed: NO_ROLE },
  roomById: { allowed: NO_ROLE },
  isRoomAdmin: { allowed: NO_ROLE },
  roomIdByName: { allowed: NO_ROLE },
  isRoomNameFree: { allowed: NO_ROLE },
  orderRoom: { allowed: NO_ROLE },
  roomsCreatedBy: { allowed: NO_ROLE },
  inactiveRooms: { allowed: NO_ROLE },
  adminRooms: { allowed: NO_ROLE },
  uploadRoomMedia: { allowed: NO_ROLE },
  reportRoomMessage: { allowed: NO_ROLE },
}

/** What becomes of a command about the room from somebody who is in no room, by who is refused how. */
const COMMANDS: Record<string, Partial<Record<Role | 'others', unknown>>> = {
  joinRoom: { banned: 'RoomBanned', others: 'ok' },
  mentionNotification: { others: 'ok' },
  clearRoomMessages: { owner: 'ok', admin: 'ok', root: 'ok', others: 'Forbidden' },
  getStatus: { others: 'NotInRoom' },
  getRoomUsers: { others: 'NotInRoom' },
  sendMessage: { others: 'NotInRoom' },
  getMessages: { others: 'NotInRoom' },
  searchMessages: { others: 'NotInRoom' },
  typing: { others: 'NotInRoom' },
  sendGift: { others: expect.any(String) },
}

let site: HttpRegion
let room: OwnedRoom
let bystander: TestUser
const people: Partial<Record<Role, TestUser>> = {}

beforeAll(async () => {
  site = await startHttpRegion({ MEYDAN_LIMIT_SCALE: '1000' })
  room = await createOwnedRoom(site.region)
  const other = await createOwnedRoom(site.region)
  bystander = room.premium
  const { region } = site
  const banned = await region.createMember('kovulan')
  const { member: muted, guest: ghost } = other
  Object.assign(people, room, { stranger: other.owner, premium: other.premium, banned, muted, ghost })
  const root = { ...room.root, role: 'rootadmin' } as const
  const mute = { username: muted.username, roomId: null, duration: 'indefinite', reason: 'Hakaret' } as const
  await region.appContext.execute(muteUser, root, mute)
  await region.appContext.execute(ghostBanGuest, root, { username: ghost.username, duration: 'indefinite' })
  await send('POST', `/rooms/${room.roomId}/ban`, room.owner, {
    username: 'kovulan',
    duration: 'indefinite',
    banReason: 'Diğer',
  })
})
afterAll(() => site.close())

const personOf = (role: Role): TestUser => people[role] ?? expect.unreachable(role)

async function send(method: string, path: string, { token }: TestUser, body: object = {}): Promise<string> {
  const answer = await fetch(`${site.origin}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  })
  const { code = 'ok' } = (await answer.json()) as { code?: string } // every answer below /api is an object
  return code
}

const roomRoutes = Object.entries<RouteSpec>(routes).filter(([, { path }]) => /^\/(?:rooms|media\/upload)\b/.test(path))
const roomCommands = Object.entries<CommandSpec>(commands).filter(
  ([name, { input }]) => name !== 'hello' && toWireJsonSchema(input).properties?.roomId,
)

const caseOf = (name: string) => ROUTES[name] ?? expect.unreachable(`${name} has no case here`)
const decidedByRole = roomRoutes.filter(([name]) => caseOf(name).allowed !== NO_ROLE)

describe.each(decidedByRole)('%s', (name, { method, path }) => {
  const { allowed, body } = caseOf(name)

  it.each(ROLES)('[ENTRY-23] is decided for the %s', async (role) => {
    const filled = path.replace(':id', String(room.roomId)).replace(':username', 'kimse')
    const code = await send(method, filled, personOf(role), body?.() ?? {})
    if (allowed?.includes(role)) expect(code).not.toBe('Forbidden')
    else expect(code).toBe('Forbidden')
  })
})

describe.each(roomCommands)('%s', (name) => {
  const verdicts = COMMANDS[name] ?? expect.unreachable(`${name} has no case here`)

  it.each(ROLES)('[ENTRY-23] is decided for the %s who is not in the room', async (role) => {
    const client = await site.region.connectAs(personOf(role))
    const answer = await client.request(
      name as CommandName,
      { roomId: room.roomId, content: 'x', text: 'xyz' } as never,
    ) // all that any of them asks for
    expect('code' in answer ? answer.code : 'ok').toEqual(verdicts[role] ?? verdicts.others)
    client.disconnect()
  })
})
