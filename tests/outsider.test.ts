import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picture } from '../src/server/testing/picture-bytes.ts'
import type { TestClient, TestPerson } from '../src/server/testing/world.ts'
import { UserSummary } from '../src/shared/accounts/protocol.ts'
import { Kind, type Payload } from '../src/shared/protocol/frame.ts'
import { type ListeningRegion, listen } from './listening-region.ts'

/** What others do with their own: it is nobody else's affair. */
interface Deed {
  what: string
  do: () => Promise<unknown>
  /** Heard by everyone on the site. */
  everyone?: string[]
}

let site: ListeningRegion
let ada: TestPerson
let can: TestPerson
let guest: TestPerson
let root: TestPerson
let adminToken: string
let elsewhere: TestPerson
let photo: Uint8Array<ArrayBuffer>
/** In another room, in none, not even past hello; and one who is in the same room. */
const lines: Record<'outsider' | 'nowhere' | 'stranger' | 'bystander', TestClient> = {} as never // filled before the first test

beforeAll(async () => {
  site = await listen({ MEYDAN_LIMIT_SCALE: '1000' })
  const { region } = site
  photo = new Uint8Array(await picture('png', 80, 80))
  root = await region.makeRootAdmin('yönetici')
  ada = await signUp('ada')
  can = await signUp('can')
  guest = await region.enter('misafircik')
  adminToken = (await send('POST', '/users/refresh-token', root.token)).adminToken as string // of a root admin
  for (const person of [ada, can, guest]) await region.join(person, 1)
  lines.bystander = await region.join(await region.enter('yanıbaşında'), 1)
  lines.outsider = await region.join(await region.enter('dışarıda'), 2)
  lines.nowhere = await region.join(await region.enter('kapıda'))
  lines.stranger = region.connect()
  await heard()
})
afterAll(() => site.end())

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
  const said = (await answer.json()) as Record<string, unknown> // every answer below /api is an object
  expect(said, `${method} ${path}`).toMatchObject({ success: true })
  return said
}

async function signUp(username: string, token: string | null = null): Promise<TestPerson> {
  const body = { username, password: PASSWORD, age: 30, termsAccepted: true }
  return personOf(await send('POST', '/users/register', token, body))
}

async function signIn(username: string, password: string): Promise<TestPerson> {
  return personOf(await send('POST', '/users/login', null, { username, password }))
}

function personOf({ token, user }: Record<string, unknown>): TestPerson {
  const { id, username } = user as { id: number; username: string } // the route's schema
  const { sid } = JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString())
  return { userId: id, sessionId: Number(sid), username, token: String(token) }
}

/** What lists of people say of a place, a while after something has changed there. */
const ofLists = /^(?:users?-|userUpdated|activeUsers|roomUserCount)/

interface Told {
  name: string
  payload: Payload
}
/** What those have heard of that kind who are not in the room, and who is there. */
const listed: Told[] = []
const listedThere: Told[] = []

/** What each has been told since the last time that they did not ask for, but for lists of people. */
async function heard(): Promise<Record<keyof typeof lines, Told[]>> {
  const told: Partial<Record<string, Told[]>> = {}
  for (const [who, line] of Object.entries(lines)) {
    await line.request('getRooms', {})
    const all = line.line.received.splice(0).flatMap((value): Told[] => {
      if (value[0] === Kind.event) return [{ name: value[2], payload: value[3] }]
      return value[0] === Kind.ephemeral ? [{ name: value[1], payload: value[2] }] : []
    })
    told[who] = all.filter(({ name }) => !ofLists.test(name))
    const lists = who === 'bystander' ? listedThere : listed
    lists.push(...all.filter(({ name }) => ofLists.test(name)))
  }
  return told as Record<keyof typeof lines, Told[]> // one for each line
}

const profile = (fields: object | FormData, token = ada.token) => send('PUT', '/users/profile', token, fields)
const form = (fields: Record<string, string>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  data.set('avatar', new Blob([photo]), 'ben.png')
  return data
}
const shown = { everyone: ['userProfileUpdated'] }
const NEW = { currentPassword: PASSWORD, newPassword: 'beş balık yüzdü', newPasswordConfirmation: 'beş balık yüzdü' }

const deeds: Deed[] = [
  { what: 'a block', do: () => send('POST', '/users/block', ada.token, { blockedUsername: 'can' }) },
  { what: 'the list of blocks', do: () => send('GET', '/users/blocked-users', ada.token) },
  { what: 'a look at a block', do: () => send('GET', '/users/is-blocked?username1=ada&username2=can', ada.token) },
  { what: 'the end of a block', do: () => send('POST', '/users/unblock', ada.token, { blockedUsername: 'can' }) },
  { what: 'the own account', do: () => send('GET', '/users/account', ada.token) },
  { what: 'a look at a profile', do: () => send('GET', '/users/username/ada', can.token) },
  {
    what: 'a text of oneself',
    do: () => profile({ bio: 'çok özel', city: 'İzmir', age: 41 }),
    ...shown,
  },
  { what: 'the same text again', do: () => profile({ bio: 'çok özel', city: 'İzmir', age: 41 }) },
  { what: 'a face', do: () => profile(form({})), ...shown },
  { what: 'privacy, by the route', do: () => profile({ messagePrivacy: 'nobody' }) },
  {
    what: 'privacy, by the live channel',
    do: async () => {
      const line = await site.region.join(guest)
      expect(await line.request('updatePrivacySettings', { accountPrivacy: 'private' })).toMatchObject({
        success: true,
      })
      line.cut()
    },
  },
  {
    what: 'a second sign-in',
    do: async () => {
      elsewhere = await signIn('ada', PASSWORD)
    },
  },
  { what: 'the list of sessions', do: () => send('GET', '/users/sessions', ada.token) },
  {
    what: 'the end of a session',
    do: () => send('POST', '/users/sessions/end', ada.token, { sessionId: elsewhere.sessionId }),
  },
  { what: 'the end of all others', do: () => send('POST', '/users/sessions/end-others', ada.token) },
  { what: 'a fresh token', do: () => send('POST', '/users/refresh-token', ada.token) },
  { what: 'a password', do: () => profile(NEW) },
  {
    what: 'a guest who becomes a member',
    do: () => signUp('misafircik', guest.token),
    ...shown,
  },
  {
    what: 'a promotion',
    do: () => send('POST', '/root-admin/promote-user-to-rootadmin', adminToken, { username: 'can' }),
    everyone: ['userProfileUpdated', 'userRoleUpdated'],
  },
  {
    what: 'a demotion',
    do: () => send('POST', '/root-admin/demote-user-to-rootadmin', adminToken, { username: 'can' }),
    everyone: ['userProfileUpdated', 'userRoleUpdated'],
  },
]

describe('those whom it does not concern, and who is in the same room', () => {
  it.each(deeds)(
    '[REL-04] [REL-09] [PROF-10] [SET-03] [ACC-54] [ACC-58] hear of $what only what is public',
    async (deed) => {
      await deed.do()
      const { stranger, outsider, nowhere, bystander } = await heard()
      const names = (told: Told[]) => told.map(({ name }) => name).toSorted()
      expect(names(outsider)).toEqual(deed.everyone ?? [])
      expect(names(nowhere)).toEqual(deed.everyone ?? [])
      expect(names(bystander)).toEqual(deed.everyone ?? [])
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
      await heard()
      return listedThere.some(({ name, payload }) => name === 'userUpdated' && isMember(payload.user as UserSummary))
    }
    await expect.poll(isTold).toBe(true)
    expect(listed.length).toBeGreaterThan(0)
    expect(listed.filter(({ payload }) => /"(?:ada|can|misafircik)"/.test(JSON.stringify(payload)))).toEqual([])
  })
})
