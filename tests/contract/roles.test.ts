import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { banUser } from '../../src/server/features/moderation/ban-user.ts'
import { ghostBanGuest } from '../../src/server/features/moderation/ghost-ban-guest.ts'
import { muteUser } from '../../src/server/features/sanctions/mute-user.ts'
import type { Actor } from '../../src/server/kernel/database/transaction.ts'
import { toWireJsonSchema } from '../../src/server/kernel/protocol/json-schema.ts'
import { createOwnedRoom } from '../../src/server/testing/fixtures/owned-room.ts'
import type { TestClient, TestUser } from '../../src/server/testing/fixtures/test-region.ts'
import * as audit from '../../src/shared/audit/protocol.ts'
import * as moderation from '../../src/shared/moderation/protocol.ts'
import { type CommandName, commands, routes } from '../../src/shared/protocol/catalogue.ts'
import type { CommandSpec, RouteSpec } from '../../src/shared/protocol/define.ts'
import * as reports from '../../src/shared/reports/protocol.ts'
import * as sanctions from '../../src/shared/sanctions/protocol.ts'
import * as alerts from '../../src/shared/text-filters/alerts-protocol.ts'
import * as linkedAccounts from '../../src/shared/text-filters/linked-accounts-protocol.ts'
import * as textFilters from '../../src/shared/text-filters/protocol.ts'
import { type HttpRegion, startHttpRegion } from '../drivers/http-region.ts'

/** What the first gate says of an empty input: it is let through to the schema, or not. */
const ALLOWED_CODE = expect.not.stringMatching(/^(?:Forbidden|NotSignedIn|SessionEnded)$/)

/** Routes that check the token themselves; one of them would end a session that other cases need. */
const TOKEN_ROUTES = new Set(['/users/logout', '/users/refresh-token'])

let site: HttpRegion
const people: Record<string, TestUser> = {}
const clients: Record<string, TestClient> = {}
let adminToken: string
let outsider: TestClient

beforeAll(async () => {
  site = await startHttpRegion({ MEYDAN_LIMIT_SCALE: '1000' })
  const { region } = site
  const root = await region.createRootAdmin('yönetici')
  const member = await region.createMember('yeniüye')
  const guest = await region.createGuest('misafircik')
  const formerGuest = await region.createGuest('çıkan')
  await send('POST', '/users/logout', formerGuest.token)
  const banned = await region.createGuest('yasaklı')
  const terms = { username: 'yasaklı', duration: 'indefinite', banReason: 'Diğer' } as const
  await region.appContext.execute(banUser, toActor(root), terms)
  const ghost = await region.createGuest('hayalet')
  await region.appContext.execute(ghostBanGuest, toActor(root), { username: 'hayalet', duration: 'indefinite' })
  const muted = await region.createMember('susturulan')
  const mute = { username: 'susturulan', roomId: null, duration: 'indefinite', reason: 'Hakaret' } as const
  await region.appContext.execute(muteUser, toActor(root), mute)
  const { owner, admin, premium } = await createOwnedRoom(region)
  Object.assign(people, { root, member, guest, gone: formerGuest, banned, ghost, muted, owner, admin, premium })
  clients.nobody = region.openConnection()
  for (const role of ['guest', 'ghost', 'member', 'muted', 'premium', 'owner', 'admin', 'root'])
    clients[role] = await region.connectAs(person(role))
  adminToken = root.adminToken
  outsider = await region.connectAs(await region.createGuest('seyirci'), 2)
})
afterAll(() => site.close())

const person = (role: string): TestUser => people[role] ?? expect.unreachable(role)
const toActor = ({ userId, sessionId }: TestUser): Actor => ({ userId, sessionId, role: 'rootadmin' })

async function send(method: string, path: string, token: string | null): Promise<Record<string, unknown>> {
  const answer = await fetch(`${site.origin}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(method !== 'GET' && { body: '{}' }),
  })
  return { code: 'ok', ...((await answer.json()) as object) } // every answer below /api is an object
}

describe.each(Object.entries<CommandSpec>(commands).filter(([name]) => name !== 'hello'))('%s', (name, { access }) => {
  const ofGuests = { signedIn: ALLOWED_CODE, member: 'Forbidden', rootadmin: 'Forbidden' }
  const ofMembers = { signedIn: ALLOWED_CODE, member: ALLOWED_CODE, rootadmin: 'Forbidden' }
  it.each([
    ['nobody', { signedIn: 'NotSignedIn', member: 'NotSignedIn', rootadmin: 'NotSignedIn' }],
    ['guest', ofGuests],
    ['ghost', ofGuests],
    ['member', ofMembers],
    ['muted', ofMembers],
    ['premium', ofMembers],
    ['owner', ofMembers],
    ['admin', ofMembers],
    ['root', { signedIn: ALLOWED_CODE, member: ALLOWED_CODE, rootadmin: ALLOWED_CODE }],
  ] as const)('[LIVE-31] [MOD-01] answers %s as the catalogue says', async (role, verdicts) => {
    const answer = await clients[role]?.request(name as CommandName, {} as never) // an empty input fits any gate
    const code = answer && 'code' in answer ? answer.code : 'ok'
    expect(code).toEqual(verdicts[access])
  })
})

describe.each(Object.entries<RouteSpec>(routes))('%s', (_, { method, path, access }) => {
  const outside = { anyone: ALLOWED_CODE, signedIn: 'SessionEnded', member: 'SessionEnded', rootadmin: 'SessionEnded' }
  const inside = { ...outside, signedIn: ALLOWED_CODE, member: ALLOWED_CODE, rootadmin: 'Forbidden' }
  const shut = { ...outside, signedIn: 'Banned', member: 'Banned' }
  const strange = { anyone: ALLOWED_CODE, signedIn: 'NotSignedIn', member: 'NotSignedIn', rootadmin: 'NotSignedIn' }
  it.each([
    ['nobody', (): string | null => null, strange],
    ['a guest', (): string | null => person('guest').token, { ...inside, member: 'Forbidden' }],
    ['a ghost', (): string | null => person('ghost').token, { ...inside, member: 'Forbidden' }],
    ['a member', (): string | null => person('member').token, inside],
    ['a muted member', (): string | null => person('muted').token, inside],
    ['a premium member', (): string | null => person('premium').token, inside],
    ["a room's owner", (): string | null => person('owner').token, inside],
    ["a room's admin", (): string | null => person('admin').token, inside],
    ["a root admin's user token", (): string | null => person('root').token, inside],
    ["a root admin's admin token", (): string | null => adminToken, { ...outside, rootadmin: ALLOWED_CODE }],
    ['somebody who has logged out', (): string | null => person('gone').token, outside],
    ['somebody who is banned', (): string | null => person('banned').token, shut],
    ['a token that is none', (): string | null => 'e30.e30.e30', outside],
  ] as const)('[LIVE-31] [MOD-01] [MOD-05] answers %s as the catalogue says', async (_who, token, verdicts) => {
    if (TOKEN_ROUTES.has(path)) return
    const { code } = await send(method, path.replace(/:(\w+)/g, '0'), token())
    expect(code).toEqual(verdicts[access])
  })
})

/** What moderation leaves to others than root admins: their own things, reports, and what the staff of a room may do in it. */
const MODERATION_OF_OTHERS = {
  confirmWarning: 'signedIn',
  reportRoomMessage: 'signedIn',
  reportProfile: 'signedIn',
  reportCall: 'signedIn',
  clearRoomMessages: 'member',
  removeMessage: 'member',
  restoreMessage: 'member',
  muteInRoom: 'member',
  liftRoomMute: 'member',
  roomMutedUsers: 'member',
}

it('[MOD-01] leaves nothing of moderation to others than root admins but what is named here', () => {
  const specs = [moderation, sanctions, reports, audit, alerts, linkedAccounts, textFilters].flatMap((feature) =>
    Object.entries<CommandSpec | RouteSpec>({ ...('commands' in feature && feature.commands), ...feature.routes }),
  )
  const ofOthers = specs.flatMap(([name, { access }]) => (access === 'rootadmin' ? [] : [[name, access]]))
  expect(Object.fromEntries(ofOthers)).toEqual(MODERATION_OF_OTHERS)
})

/** What becomes of a command about a room, from somebody who is in another one. One that is not here fails. */
const OUTCOMES_FROM_OUTSIDE: Record<string, unknown> = {
  // What anybody may know of a room, or do from anywhere.
  joinRoom: 'ok',
  mentionNotification: 'ok',
  getStatus: 'NotInRoom',
  getRoomUsers: 'NotInRoom',
  sendMessage: 'NotInRoom',
  getMessages: 'NotInRoom',
  searchMessages: 'NotInRoom',
  typing: 'NotInRoom',
  clearRoomMessages: 'Forbidden',
  // Guests give none.
  sendGift: 'Forbidden',
}
const roomCommands = Object.entries<CommandSpec>(commands).filter(
  ([name, { input }]) => name !== 'hello' && toWireJsonSchema(input).properties?.roomId,
)

it.each(roomCommands)(
  '[LIVE-31] %s about a room that one is not in is answered as the rules of rooms say',
  async (name) => {
    const client = await site.region.connectAs(await site.region.createGuest(`uzaktan${name.slice(0, 12)}`), 3)
    const answer = await client.request(name as CommandName, { roomId: 1, content: 'x', text: 'xyz' } as never) // all that any of them asks for
    expect('code' in answer ? answer.code : 'ok').toBe(OUTCOMES_FROM_OUTSIDE[name])
  },
)

/** Those of tus, whose answers are headers: src/server/features/media/resumable-upload-routes.test.ts has their callers. */
const RESUMABLE_UPLOAD_ROUTES = [
  'OPTIONS /api/uploads',
  'POST /api/uploads',
  ...['GET', 'PATCH', 'DELETE'].map((method) => `${method} /api/uploads/:id`),
]

it('[LIVE-31] all that the site answers below /api is of the catalogue, but for its own description', () => {
  const mounted = site.routePaths.filter((route) => / \/api\//.test(route) && !route.startsWith('ALL '))
  const known = Object.values<RouteSpec>(routes).map(({ method, path }) => `${method} /api${path}`)
  // A form that was refused leads home from its own address (http/route.ts).
  const forms = mounted.filter((route) => route.startsWith('GET ') && known.includes(route.replace('GET', 'POST')))
  expect([...new Set(mounted)].toSorted()).toEqual(
    [...new Set([...known, ...forms, ...RESUMABLE_UPLOAD_ROUTES, 'GET /api/openapi.json'])].toSorted(),
  )
})

it('[MOD-14] sends an outsider no event of these requests', () => {
  const events = outsider.transport.received.filter((value) => value[0] === 4)
  // The site finds the premium that the fixture has stored, and announces it.
  const isOfFixture = (payload: unknown) => JSON.stringify(payload).includes(person('premium').username)
  expect(events.filter((value) => !isOfFixture(value[3])).map((value) => value[2])).toEqual([])
})
