import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPicture } from '../../src/server/testing/fixtures/test-pictures.ts'
import type { TestClient, TestRootAdmin, TestUser } from '../../src/server/testing/fixtures/test-region.ts'
import { UserSummary } from '../../src/shared/accounts/protocol.ts'
import { Kind, type Payload } from '../../src/shared/protocol/frame.ts'
import { type HttpRegion, startHttpRegion } from '../drivers/http-region.ts'

/** An action whose result only its actor may see. */
interface PrivateAction {
  title: string
  run: () => Promise<unknown>
  /** Events that everyone on the site receives. */
  publicEvents?: string[]
}

let site: HttpRegion
let ada: TestUser
let can: TestUser
let guest: TestUser
let root: TestRootAdmin
let elsewhere: TestUser
let photo: Uint8Array<ArrayBuffer>
/** In another room, in none, not even past hello; and one who is in the same room. */
const clients: Record<'outsider' | 'nowhere' | 'stranger' | 'bystander', TestClient> = {} as never // filled before the first test

beforeAll(async () => {
  site = await startHttpRegion({ MEYDAN_LIMIT_SCALE: '1000' })
  const { region } = site
  photo = new Uint8Array(await createPicture('png', 80, 80))
  root = await region.createRootAdmin('yönetici')
  ada = await signUp('ada')
  can = await signUp('can')
  guest = await region.createGuest('misafircik')
  for (const person of [ada, can, guest]) await region.connectAs(person, 1)
  clients.bystander = await region.connectAs(await region.createGuest('yanıbaşında'), 1)
  clients.outsider = await region.connectAs(await region.createGuest('dışarıda'), 2)
  clients.nowhere = await region.connectAs(await region.createGuest('kapıda'))
  clients.stranger = region.openConnection()
  // Until the roster has shown the guest as a guest, a sign-up is part of the guest's arrival and no update.
  await clients.bystander.transport.waitForValue(([kind, name]) => kind === Kind.ephemeral && name === 'users-in-room')
  await takeReceivedEvents()
})
afterAll(() => site.close())

const PASSWORD = 'dört kuş uçtu'

async function send(method: string, path: string, token: string | null, body: object | FormData = {}) {
  const isForm = body instanceof FormData
  const answer = await fetch(`${site.origin}/api${path}`, {
    method,
    headers: {
      ...(!isForm && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(method !== 'GET' && { body: isForm ? body : JSON.stringify(body) }),
  })
  const answerBody = (await answer.json()) as Record<string, unknown> // every answer below /api is an object
  expect(answerBody, `${method} ${path}`).toMatchObject({ success: true })
  return answerBody
}

async function signUp(username: string, token: string | null = null): Promise<TestUser> {
  const body = { username, password: PASSWORD, age: 30, termsAccepted: true }
  return personOf(await send('POST', '/users/register', token, body))
}

async function signIn(username: string, password: string): Promise<TestUser> {
  return personOf(await send('POST', '/users/login', null, { username, password }))
}

function personOf({ token, user }: Record<string, unknown>): TestUser {
  const { id, username } = user as { id: number; username: string } // the route's schema
  const { sid } = JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString())
  return { userId: id, sessionId: Number(sid), username, token: String(token) }
}

/** What lists of people say of a place, a while after something has changed there. */
const LIST_EVENT_NAMES = /^(?:users?-|userUpdated|activeUsers|roomUserCount)/

interface ReceivedEvent {
  name: string
  payload: Payload
}
/** The events of this kind at users outside the room, and at those in it. */
const listEventsElsewhere: ReceivedEvent[] = []
const listEventsInRoom: ReceivedEvent[] = []

/** Events that each client received since the last call, without those of user lists. */
async function takeReceivedEvents(): Promise<Record<keyof typeof clients, ReceivedEvent[]>> {
  const received: Partial<Record<string, ReceivedEvent[]>> = {}
  for (const [who, client] of Object.entries(clients)) {
    // The stranger never says hello, so the server ends that connection after 5 s.
    if (client.transport.closeCode === null) await client.request('getRooms', {})
    const all = client.transport.received.splice(0).flatMap((value): ReceivedEvent[] => {
      if (value[0] === Kind.event) return [{ name: value[2], payload: value[3] }]
      return value[0] === Kind.ephemeral ? [{ name: value[1], payload: value[2] }] : []
    })
    // `cursor` comes to idle connections by a timer.
    received[who] = all.filter(({ name }) => name !== 'cursor' && !LIST_EVENT_NAMES.test(name))
    const lists = who === 'bystander' ? listEventsInRoom : listEventsElsewhere
    lists.push(...all.filter(({ name }) => LIST_EVENT_NAMES.test(name)))
  }
  // A connection without hello is closed after five seconds.
  clients.stranger.disconnect()
  clients.stranger = site.region.openConnection()
  return received as Record<keyof typeof clients, ReceivedEvent[]> // one for each client
}

const updateProfile = (fields: object | FormData, token = ada.token) => send('PUT', '/users/profile', token, fields)
const createProfileForm = (fields: Record<string, string>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  data.set('avatar', new Blob([photo]), 'ben.png')
  return data
}
const PROFILE_IS_PUBLIC = { publicEvents: ['userProfileUpdated'] }
const NEW_PASSWORD_FIELDS = {
  currentPassword: PASSWORD,
  newPassword: 'beş balık yüzdü',
  newPasswordConfirmation: 'beş balık yüzdü',
}

const privateActions: PrivateAction[] = [
  { title: 'a block', run: () => send('POST', '/users/block', ada.token, { blockedUsername: 'can' }) },
  { title: 'the list of blocks', run: () => send('GET', '/users/blocked-users', ada.token) },
  { title: 'a read of a block', run: () => send('GET', '/users/is-blocked?username1=ada&username2=can', ada.token) },
  { title: 'the end of a block', run: () => send('POST', '/users/unblock', ada.token, { blockedUsername: 'can' }) },
  { title: 'the own account', run: () => send('GET', '/users/account', ada.token) },
  { title: 'a read of a profile', run: () => send('GET', '/users/username/ada', can.token) },
  {
    title: 'a text of oneself',
    run: () => updateProfile({ bio: 'çok özel', city: 'İzmir', age: 41 }),
    ...PROFILE_IS_PUBLIC,
  },
  { title: 'the same text again', run: () => updateProfile({ bio: 'çok özel', city: 'İzmir', age: 41 }) },
  { title: 'an avatar', run: () => updateProfile(createProfileForm({})), ...PROFILE_IS_PUBLIC },
  { title: 'privacy, by the route', run: () => updateProfile({ messagePrivacy: 'nobody' }) },
  {
    title: 'privacy, by the live channel',
    run: async () => {
      const client = await site.region.connectAs(guest)
      expect(await client.request('updatePrivacySettings', { accountPrivacy: 'private' })).toMatchObject({
        success: true,
      })
      client.disconnect()
    },
  },
  {
    title: 'a second sign-in',
    run: async () => {
      elsewhere = await signIn('ada', PASSWORD)
    },
  },
  { title: 'the list of sessions', run: () => send('GET', '/users/sessions', ada.token) },
  {
    title: 'the end of a session',
    run: () => send('POST', '/users/sessions/end', ada.token, { sessionId: elsewhere.sessionId }),
  },
  { title: 'the end of all others', run: () => send('POST', '/users/sessions/end-others', ada.token) },
  { title: 'a fresh token', run: () => send('POST', '/users/refresh-token', ada.token) },
  { title: 'a password', run: () => updateProfile(NEW_PASSWORD_FIELDS) },
  {
    title: 'a guest who becomes a member',
    run: () => signUp('misafircik', guest.token),
    ...PROFILE_IS_PUBLIC,
  },
  {
    title: 'a promotion',
    run: () => send('POST', '/root-admin/promote-user-to-rootadmin', root.adminToken, { username: 'can' }),
    publicEvents: ['userProfileUpdated', 'userRoleUpdated'],
  },
  {
    title: 'a demotion',
    run: () => send('POST', '/root-admin/demote-user-to-rootadmin', root.adminToken, { username: 'can' }),
    publicEvents: ['userProfileUpdated', 'userRoleUpdated'],
  },
]

describe('connections of other users', () => {
  it.each(privateActions)(
    '[REL-04] [REL-09] [PROF-10] [SET-03] [ACC-54] [ACC-58] receive only the public events of $title',
    async (action) => {
      await action.run()
      const { stranger, outsider, nowhere, bystander } = await takeReceivedEvents()
      const names = (received: ReceivedEvent[]) => received.map(({ name }) => name).toSorted()
      expect(names(outsider)).toEqual(action.publicEvents ?? [])
      expect(names(nowhere)).toEqual(action.publicEvents ?? [])
      expect(names(bystander)).toEqual(action.publicEvents ?? [])
      expect(stranger).toEqual([])
      for (const { name, payload } of [...outsider, ...bystander]) {
        if (name === 'userProfileUpdated')
          v.parse(v.strictObject({ user: v.strictObject(UserSummary.entries) }), payload)
        expect(JSON.stringify(payload)).not.toMatch(/çok özel|İzmir|argon2|nobody|private|token/i)
      }
    },
  )

  it('[REL-09] [PRES-22] hear of it by lists of people only where the person is', async () => {
    const isMember = ({ id, role }: UserSummary) => id === guest.userId && role === 'member'
    const isTold = async () => {
      await takeReceivedEvents()
      return listEventsInRoom.some(
        ({ name, payload }) => name === 'userUpdated' && isMember(payload.user as UserSummary),
      )
    }
    await expect.poll(isTold).toBe(true)
    expect(listEventsElsewhere.length).toBeGreaterThan(0)
    expect(
      listEventsElsewhere.filter(({ payload }) => /"(?:ada|can|misafircik)"/.test(JSON.stringify(payload))),
    ).toEqual([])
  })
})
