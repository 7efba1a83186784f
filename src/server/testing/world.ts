import { join } from 'node:path'
import pino from 'pino'
import type { CommandAnswer, CommandInput, CommandName, EventName } from '../../shared/protocol/catalogue.ts'
import { encode, Kind } from '../../shared/protocol/frame.ts'
import { Refusal, type RefusalBody } from '../../shared/protocol/refusals.ts'
import { PROTOCOL_MAJOR } from '../../shared/protocol/version.ts'
import { signToken } from '../accounts/tokens.ts'
import { openRegion, type Region } from '../region.ts'
import { createNodePlatform } from '../regions/ground.ts'
import { readSettings } from '../settings.ts'
import { createTemporaryFolder } from './database.ts'
import { createFakeTransport, type FakeTransport } from './socket-pair.ts'

/** A person of the test with a session. */
export interface TestUser {
  userId: number
  sessionId: number
  username: string
  token: string
}

/** A client at the other end of a line that lies in memory. */
export interface TestClient {
  transport: FakeTransport
  /** Sends raw bytes, as an attacker would. */
  sendBytes(bytes: Uint8Array): void
  request<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandAnswer<N> | RefusalBody>
  /** The first event of this name, past or future, whose payload fits. */
  waitForEvent(name: EventName, fits?: (payload: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>
  /** How many events of this name came so far. */
  countEvents(name: EventName): number
  /** Answers a ping. */
  pong(): void
  /** The network ends the line. */
  disconnect(): void
}

/**
 * A whole region without its HTTP server, with a clock that is set by hand: time that passes for all that the region
 * measures, and what the machine's clock was set by, which takes no time.
 */
export interface TestRegion extends Region {
  clockOffset: { aheadMs: number; setByMs: number }
  createGuest(username: string): Promise<TestUser>
  /** Somebody with an account. */
  createMember(username: string): Promise<TestUser>
  createRootAdmin(username: string): Promise<TestUser>
  openConnection(): TestClient
  /** Connects, says hello and, with a room, joins it. */
  connectAs(person: TestUser, roomId?: number): Promise<TestClient>
  /** Ends the region and starts it again on the same data. */
  restart(): Promise<void>
  destroy(): Promise<void>
}

export async function openTestRegion(env: Record<string, string> = {}): Promise<TestRegion> {
  const folder = createTemporaryFolder()
  const clock = { aheadMs: 0, setByMs: 0 }
  const settings = readSettings({ MEYDAN_DATA: join(folder.path, 'data'), MEYDAN_LOG: 'silent', ...env })
  const log = pino({ enabled: false })
  const ground = {
    ...createNodePlatform(settings, log),
    clock: () => Date.now() + clock.aheadMs + clock.setByMs,
    steady: () => performance.now() + clock.aheadMs,
  }
  const open = () => openRegion(settings, log, { platform: ground })
  let region = await open()
  const world: TestRegion = {
    get appContext() {
      return region.appContext
    },
    get connections() {
      return region.connections
    },
    get linkServer() {
      return region.linkServer
    },
    get files() {
      return region.files
    },
    close: () => region.close(),
    clockOffset: clock,
    createGuest: (username) => createGuest(region, username),
    createMember: (username) => createMember(region, username),
    createRootAdmin: (username) => createRootAdmin(region, username),
    openConnection: () => openConnection(region),
    connectAs: async (person, roomId) => {
      const client = openConnection(region)
      await sendHello(client, person)
      if (roomId !== undefined) await client.request('joinRoom', { roomId })
      return client
    },
    restart: async () => {
      await region.close()
      region = await open()
    },
    destroy: async () => {
      await region.close()
      folder.remove()
    },
  }
  return world
}

/** What a test's hello says unless it says otherwise. */
export function sendHello(client: TestClient, person: TestUser, more: Partial<CommandInput<'hello'>> = {}) {
  const browserId = `browser of ${person.username}`
  return client.request('hello', { protocol: PROTOCOL_MAJOR, token: person.token, browserId, platform: 'web', ...more })
}

async function createGuest(region: Region, username: string): Promise<TestUser> {
  const input = { username, gender: null, browserId: null, platform: 'web' as const }
  return toTestUser(region, username, await region.appContext.execute('openGuestSession', null, input))
}

async function createMember(region: Region, username: string): Promise<TestUser> {
  const entry = { browserId: null, platform: 'web' as const, fingerprint: { browserHash: null, addressHash: null } }
  const account = { username, passwordHash: 'none', age: 30, gender: null, termsVersion: 'none' }
  return toTestUser(region, username, await region.appContext.execute('registerMember', null, { ...account, ...entry }))
}

async function createRootAdmin(region: Region, username: string): Promise<TestUser> {
  const passwordHash = 'none'
  const made = await region.appContext.execute('makeRootAdmin', null, { username, passwordHash })
  if (made instanceof Refusal) throw new Error(`${username} could not be made root admin: ${made.body.code}`)
  const entry = { userId: made.userId, passwordHash, browserId: null, platform: 'web' as const }
  return toTestUser(region, username, await region.appContext.execute('openMemberSession', null, entry))
}

async function toTestUser(
  { appContext }: Region,
  username: string,
  opened: { userId: number; sessionId: number } | Refusal,
): Promise<TestUser> {
  if (opened instanceof Refusal) throw new Error(`${username} could not enter: ${opened.body.code}`)
  return { ...opened, username, token: await signToken(appContext.keys, 'userToken', opened, appContext.clock()) }
}

function openConnection(region: Region): TestClient {
  const transport = createFakeTransport(() => queueMicrotask(() => line.onClose()))
  const line = region.connections.openConnection(transport)
  let lastId = 0
  return {
    transport: transport,
    sendBytes: (bytes) => line.onFrame(bytes),
    request: async (name, input) => {
      const id = ++lastId
      line.onFrame(encode([Kind.request, id, name, input]))
      const answered = await transport.waitForValue(
        ([kind, of]) => (kind === Kind.answer || kind === Kind.refusal) && of === id,
      )
      return answered[2] as never // the answer's type follows from the command's name
    },
    waitForEvent: async (name, fits = () => true) => {
      const value = await transport.waitForValue(
        (candidate) => eventNameOf(candidate) === name && fits(eventPayloadOf(candidate)),
      )
      return eventPayloadOf(value)
    },
    countEvents: (name) => transport.received.filter((value) => eventNameOf(value) === name).length,
    pong: () => line.onPong(),
    disconnect: () => line.onClose(),
  }
}

type ReceivedValue = FakeTransport['received'][number]

function eventNameOf(value: ReceivedValue): string | null {
  return value[0] === Kind.event ? value[2] : value[0] === Kind.ephemeral ? value[1] : null
}

function eventPayloadOf(value: ReceivedValue): Record<string, unknown> {
  return value[0] === Kind.event ? value[3] : value[0] === Kind.ephemeral ? value[2] : {}
}
