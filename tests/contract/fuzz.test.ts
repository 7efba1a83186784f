import fc from 'fast-check'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signToken } from '../../src/server/features/accounts/tokens/tokens.ts'
import { toWireJsonSchema } from '../../src/server/kernel/protocol/json-schema.ts'
import { sendHello, type TestClient, type TestUser } from '../../src/server/testing/fixtures/test-region.ts'
import { commands, type EventName, events, routes } from '../../src/shared/protocol/catalogue.ts'
import type { CommandSpec, RouteSpec } from '../../src/shared/protocol/define.ts'
import { Kind, type Payload } from '../../src/shared/protocol/frame.ts'
import { refusals } from '../../src/shared/protocol/refusals.ts'
import { type HttpRegion, startHttpRegion } from '../drivers/http-region.ts'
import { createValidPayload, type ExampleValues } from './valid-payload.ts'

/** Every type that a field can have, each at its limits and beyond. */
const WRONG_VALUES: unknown[] = [
  ...[null, true, false],
  ...[0, 1, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 1e308, Number.NaN, Number.POSITIVE_INFINITY],
  ...[
    '',
    ' ',
    '1',
    'null',
    '__proto__',
    'constructor',
    '\u0000',
    '\u202E',
    '😀',
    'İ',
    '<script>',
    "'; drop table user; --",
  ],
  ...['x'.repeat(65), 'x'.repeat(4_097), 'x'.repeat(60_000), '9'.repeat(400)],
  ...[[], [null], [1, 'a', []], Array(1_000).fill(0), [[[[[[[[[[]]]]]]]]]]],
  ...[{}, { id: 1 }, { length: 1e9 }, { toString: 1, valueOf: 1 }, { a: { b: { c: { d: {} } } } }],
  ...[new Uint8Array(), Uint8Array.of(0xff, 0xfe), new Uint8Array(60_000)],
]

/** Values that no frame may carry: lone surrogates, deep nesting, too many values, a key that is no name. */
const UNFRAMEABLE_VALUES: unknown[] = [
  '\uD800',
  [[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]],
  Array(3_000).fill(0),
  { 0: 1 },
  'x'.repeat(70_000),
]
/** JSON has no bytes. */
const WRONG_JSON_VALUES = [...WRONG_VALUES, '\uD800'].filter((value) => !(value instanceof Uint8Array))

/** Where requests over HTTP take turns, each field and each body gets one of so many wrong values. */
const WRONG_TYPE_TURNS = 12

/** Commands whose refusal closes the connection. */
const HANDSHAKES = new Set(['hello', 'userConnected'])

let site: HttpRegion
let people: Record<'mallory' | 'ali' | 'veli' | 'clumsy', TestUser>
let ali: TestClient
let veli: TestClient
let attacker: TestClient
/** The sender of members' and root admins' commands; invalid ones must not affect other users either. */
let rootAdmin: TestClient
let messageCount = 0
let nameCount = 0
const freshName = () => `deneyen${++nameCount}`
const examples: ExampleValues = { token: () => people.mallory.token, freshName }

beforeAll(async () => {
  site = await startHttpRegion({ MEYDAN_LIMIT_SCALE: '1000000' })
  const { region } = site
  people = {
    clumsy: await region.createRootAdmin('clumsy'),
    mallory: await region.createGuest('mallory'),
    ali: await region.createGuest('ali'),
    veli: await region.createGuest('veli'),
  }
  ali = await region.connectAs(people.ali, 1)
  veli = await region.connectAs(people.veli, 1)
  region.clockOffset.aheadMs += 10_000
  attacker = await region.connectAs(people.mallory, 1)
  rootAdmin = await region.connectAs(people.clumsy, 1)
})
afterAll(() => site.close())

describe.each(Object.entries<CommandSpec>(commands))('%s', (name, { input }) => {
  const fields = Object.entries(toWireJsonSchema(input).properties ?? {})

  it.each(fields.map(([field]) => field))('[LIVE-30] with every wrong %s', { tags: 'deep' }, async (field) => {
    await Promise.all(
      WRONG_VALUES.map((value) => send(name, { ...createValidPayload(input, examples), [field]: value }, field)),
    )
    for (const value of UNFRAMEABLE_VALUES)
      await sendUnframeable(name, { ...createValidPayload(input, examples), [field]: value })
    await expectChatToWork()
  })

  it('[LIVE-30] without any one field, with one too many, and with something else for all of them', async () => {
    for (const [field] of fields) {
      const { [field]: _, ...rest } = createValidPayload(input, examples)
      await send(name, rest, field)
    }
    await send(name, { ...createValidPayload(input, examples), surplus: [1, { a: 'b' }] })
    for (const value of WRONG_VALUES) await sendAnything(name, value)
    await expectChatToWork()
  })

  it('[LIVE-30] with anything at all', { tags: 'deep' }, async () => {
    const known = fields.map(([field]) => field)
    const payload = fc.dictionary(
      fc.oneof(fc.constantFrom('a', 'id', ...known), fc.string()),
      fc.oneof(fc.constantFrom(...WRONG_VALUES), fc.object({ maxDepth: 3 }), fc.string({ unit: 'binary' })),
      { maxKeys: 6, noNullPrototype: true },
    )
    await fc.assert(
      fc.asyncProperty(payload, (random) => sendAnything(name, random)),
      { numRuns: 60 },
    )
    await expectChatToWork()
  })
})

describe.each(Object.entries<RouteSpec>(routes))('%s', (_, route) => {
  const fields = Object.keys(toWireJsonSchema(route.input).properties ?? {})

  async function sendWrongFields(isSent: (field: number, value: number) => boolean): Promise<void> {
    const token = await tokenFor(route)
    for (const [fieldNumber, field] of fields.entries()) {
      const values = WRONG_JSON_VALUES.filter((_, number) => isSent(fieldNumber, number))
      for (const value of values)
        await sendToRoute(route, token, { ...createValidPayload(route.input, examples), [field]: value })
    }
    const bodies = WRONG_JSON_VALUES.filter((_, number) => isSent(fields.length, number))
    for (const body of bodies) await sendToRoute(route, token, body)
    await expectChatToWork()
  }

  it('[HTTP-01] [LIVE-30] with every field of some wrong types, by turns', () =>
    sendWrongFields((field, value) => (field + value) % WRONG_TYPE_TURNS === 0))

  it('[HTTP-01] [LIVE-30] with every field of every wrong type', { tags: 'deep' }, () => sendWrongFields(() => true))
})

const fileRoutes = Object.entries<RouteSpec>(routes).filter(([, { fileFields }]) => fileFields)

/** How often each is sent. */
const sendings = [
  [40, {}],
  [200, { tags: 'deep' }],
] as const

describe.each(fileRoutes)('%s as a form with files', (_, { method, path, input, fileFields = [] }) => {
  const fields = Object.keys(toWireJsonSchema(input).properties ?? {})
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\u0000', '__proto__', 'x'.repeat(60_000)))
  const file = fc
    .uint8Array({ maxLength: 200 })
    .map((bytes) => new File([bytes as Uint8Array<ArrayBuffer>], '../../x.svg'))
  const name = fc.oneof(fc.constantFrom(...fields, ...fileFields, 'toString', '__proto__', 'a"\r\nb'), fc.string())
  let token: string
  beforeAll(async () => {
    token = await tokenFor({ access: 'member' })
  })

  async function send(body: BodyInit, headers: Record<string, string> = {}): Promise<void> {
    const authorization = `Bearer ${token}`
    await readRefusalCode(
      await fetch(`${site.origin}/api${path}`, { method, headers: { authorization, ...headers }, body }),
    )
  }

  describe.each(sendings)('%i times', (numRuns, options) => {
    it('[HTTP-01] [LIVE-30] [FILE-20] with anything as any text and any file', options, async () => {
      const parts = fc.array(fc.tuple(name, fc.oneof(text, file)), { maxLength: 40 })
      const property = fc.asyncProperty(parts, async (sent) => {
        const form = new FormData()
        for (const [key, value] of sent) form.append(key, value)
        await send(form)
      })
      await fc.assert(property, { numRuns })
      await expectChatToWork()
    })

    it('[HTTP-01] [LIVE-30] [FILE-20] with a body that is no form, or one that breaks off', options, async () => {
      const form = new FormData()
      for (const field of fields) form.set(field, 'x')
      for (const each of fileFields) form.set(each, new File(['<svg onload="x()"/>'], 'ben.png', { type: 'image/png' }))
      const whole = new Response(form)
      const type = whole.headers.get('content-type') ?? ''
      const bytes = new Uint8Array(await whole.arrayBuffer())
      const spoilt = fc
        .tuple(fc.nat(bytes.length), fc.uint8Array({ maxLength: 20 }), fc.nat(bytes.length))
        .map(([start, junk, end]) => Buffer.concat([bytes.subarray(0, start), junk, bytes.subarray(end)]))
      const property = fc.asyncProperty(spoilt, (body) => send(body, { 'content-type': type }))
      await fc.assert(property, { numRuns })
      for (const odd of [
        '',
        ';boundary',
        ';boundary=',
        '; boundary=""',
        `; boundary=${'x'.repeat(200)}`,
        '; boundary=-',
      ]) {
        await send(bytes, { 'content-type': `multipart/form-data${odd}` })
      }
      await expectChatToWork()
    })
  })
})

it('[LIVE-30] sends a bystander only events that fit their schema', () => {
  const receivedEvents = ali.transport.received.flatMap((value) => {
    if (value[0] === Kind.event) return [{ name: value[2], payload: value[3] }]
    return value[0] === Kind.ephemeral ? [{ name: value[1], payload: value[2] }] : []
  })
  const odd = receivedEvents.filter(({ name, payload }) => !v.is(events[name as EventName].payload, payload)) // only catalogued names are sent
  expect(odd).toEqual([])
  const messages = receivedEvents.filter(
    ({ name, payload }) => name === 'message' && payload.senderUsername !== 'mallory',
  )
  expect(messages.map(({ payload }) => payload.content)).toEqual(
    Array.from({ length: messageCount }, (_, turn) => `Söz ${turn}`),
  )
})

/** The two bystanders send in turn, and each receives the messages of the other. */
async function expectChatToWork(): Promise<void> {
  for (const client of [ali, veli, attacker, rootAdmin]) client.pong()
  const [speaker, listener] = messageCount % 2 ? [veli, ali] : [ali, veli]
  const content = `Söz ${messageCount++}`
  expect(await speaker.request('sendMessage', { roomId: 1, content })).toMatchObject({ success: true })
  await listener.waitForEvent('message', (message) => message.content === content)
}

/** Sends a payload and compares the reply with the schema's verdict; `field` is the invalid one. */
async function send(name: string, payload: Payload, field?: string): Promise<void> {
  const reply = await request(name, payload)
  const { input } = commands[name as keyof typeof commands] // the names come from the catalogue
  if (v.is(input, withoutNulls(payload))) return
  // The field itself, or a value inside it.
  const path = field && expect.stringMatching(new RegExp(`^${field}(\\.|$)`))
  expect(reply, JSON.stringify(payload)).toMatchObject({ code: 'InvalidInput', ...(path && { path }) })
}

async function sendUnframeable(name: string, payload: Payload): Promise<void> {
  const client = await attackerConnection(name)
  await expect(client.request(name as 'getRooms', payload)).rejects.toThrow() // the connection closes before a reply
  expect([4400, 4413]).toContain(client.transport.closeCode)
}

/** For payloads that a frame may be unable to carry. */
async function sendAnything(name: string, payload: unknown): Promise<void> {
  const client = await attackerConnection(name)
  await request(name, payload, client).catch(() => expect([4400, 4413]).toContain(client.transport.closeCode))
}

/** The reply to a request. It is never a bug's, and its code is of the closed list. Rejects when the connection closes. */
async function request(name: string, payload: unknown, given?: TestClient): Promise<object> {
  const client = given ?? (await attackerConnection(name))
  const reply = await client.request(name as 'getRooms', payload as object) // what no type would allow
  if ('code' in reply) expect(refusals, JSON.stringify(reply)).toHaveProperty(reply.code)
  expect(reply).not.toMatchObject({ code: 'Failed' })
  if (HANDSHAKES.has(name)) client.disconnect()
  return reply
}

function withoutNulls(payload: Payload): Payload {
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null))
}

/** The attacker's connection, opened again if the last frame closed it. A handshake needs a fresh one each time. */
async function attackerConnection(name: string): Promise<TestClient> {
  if (name === 'hello') return site.region.openConnection()
  if (name === 'userConnected') {
    const client = site.region.openConnection()
    await sendHello(client, await site.region.createGuest(freshName()))
    return client
  }
  if (commands[name as keyof typeof commands].access !== 'signedIn') return rootAdminConnection()
  if (attacker.transport.closeCode !== null) {
    attacker = site.region.openConnection()
    await sendHello(attacker, people.mallory)
  }
  return attacker
}

async function rootAdminConnection(): Promise<TestClient> {
  if (rootAdmin.transport.closeCode !== null) {
    rootAdmin = site.region.openConnection()
    await sendHello(rootAdmin, people.clumsy)
  }
  // These tests move the clock past the end of the last one.
  await rootAdmin.request('adminConnected', { adminToken: await site.region.signAdminToken(people.clumsy) })
  return rootAdmin
}

/** A token that the route accepts and that no other route has ended, so that the request reaches the schema. */
async function tokenFor({ access }: Pick<RouteSpec, 'access'>): Promise<string> {
  const { region } = site
  if (access === 'member') return (await region.createMember(freshName())).token
  if (access !== 'rootadmin') return (await region.createGuest(freshName())).token
  return signToken(region.appContext.keys, 'adminToken', people.clumsy, region.appContext.clock())
}

/** Sends the input in the route's form, and compares the answer with the schema's verdict. */
async function sendToRoute({ method, path, input }: RouteSpec, token: string, sent: unknown): Promise<void> {
  const fields = typeof sent === 'object' && sent !== null ? { ...sent } : {}
  const asText = (name: string) => toShortText(Reflect.get(fields, name)).toWellFormed()
  const inPath = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, asText(name)]))
  const filled = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(inPath[name] ?? ''))
  const query = Object.fromEntries(
    Object.keys(fields).flatMap((name) => (name in inPath ? [] : [[name, asText(name)]])),
  )
  const body = method === 'GET' ? null : (JSON.stringify(sent) ?? '')
  const address = method === 'GET' ? `${filled}?${new URLSearchParams(query)}` : filled
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const code = await readRefusalCode(await fetch(`${site.origin}/api${address}`, { method, headers, body }))
  if (Object.values(inPath).includes('')) return // it is another address
  const given = body === null ? query : body && JSON.parse(body)
  if (isObject(given) && v.is(input, { ...given, ...inPath })) return
  expect(code, `${method} ${address} ${body}`).toBe('InvalidInput')
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The code of a refusal, which is never a bug's and is of the closed list; 'ok' where there is none. */
async function readRefusalCode(response: Response): Promise<string> {
  expect(response.status, response.url).toBeLessThan(500)
  if (response.status < 400) return 'ok'
  const answer = await response.json()
  expect(answer).toMatchObject({ success: false, message: expect.stringMatching(/\p{L}/u) })
  expect(refusals).toHaveProperty(answer.code)
  return answer.code
}

/** Short enough for a request line, which node limits to 16 KiB. */
function toShortText(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 1_000) : (JSON.stringify(value) ?? '').slice(0, 1_000)
}
