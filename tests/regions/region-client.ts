import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { databaseOf, environmentOf, originOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import type { SignedIn } from '../../src/shared/accounts/protocol.ts'
import type { CommandAnswer } from '../../src/shared/protocol/catalogue.ts'
import type { Refusal } from '../../src/shared/protocol/refusals.ts'
import type { Message } from '../../src/shared/room-chat/message.ts'
import { type ConnectionOptions, expectAnswer, LiveConnection } from '../drivers/live-connection.ts'
import { PROJECT_ROOT } from '../drivers/site-process.ts'
import type { Cluster } from './cluster.ts'

/** A sign-in over HTTP; valid in every region. */
export interface RegionSession {
  username: string
  token: string
  /** Authorizes the HTTP routes of root admins. */
  adminToken?: string | undefined
  /** The value of the Cookie header. */
  cookie: string
}

let nameCount = 0
/** A name that is used once in this process, also when a test is retried. */
export function uniqueName(prefix: string): string {
  return `${prefix}${++nameCount}`
}

/** Signs a guest in over HTTP. Throws when the region refuses. */
export function signInGuestIn(
  region: RegionProcess,
  username: string,
  from: ClientOrigin = {},
): Promise<RegionSession> {
  const { browserId, address } = from
  return postSignIn(region, 'guest-login', { username, gender: 'other', ...(browserId && { browserId }) }, address)
}

/** The browser and address of a guest; the region must trust this machine as a proxy. */
export interface ClientOrigin {
  browserId?: string
  address?: string
}

/** Signs a member in over HTTP. Throws when the region refuses. */
export function signInMemberIn(region: RegionProcess, username: string, password: string): Promise<RegionSession> {
  return postSignIn(region, 'login', { username, password })
}

/** Signs a new root admin in to each of the regions; root admins send without the room's waits. */
export async function signInRootAdmins<N extends string>(
  cluster: Cluster,
  ...regions: N[]
): Promise<Record<N, RegionSession>> {
  const primary = cluster.region(await pollUntil('a primary', cluster.primary))
  const createAndSignIn = async (name: N): Promise<[N, RegionSession]> => {
    const username = uniqueName(`Yetkin${name}`)
    const password = await createRootAdminIn(primary, username)
    await pollUntil(`${name} knows ${username}`, () => isRegisteredIn(cluster.region(name), username))
    return [name, await signInMemberIn(cluster.region(name), username, password)]
  }
  return Object.fromEntries(await Promise.all(regions.map(createAndSignIn))) as Record<N, RegionSession> // one for each name
}

/** Connects a new root admin to room 1 in each of the regions. */
export async function connectRootAdmins<N extends string>(
  cluster: Cluster,
  ...regions: N[]
): Promise<Record<N, RegionClient>> {
  const sessions = await signInRootAdmins(cluster, ...regions)
  const connect = async (name: N) => [name, await RegionClient.connect(cluster.region(name), sessions[name])] as const
  return Object.fromEntries(await Promise.all(regions.map(connect))) as Record<N, RegionClient> // one for each name
}

/** Runs `npm run admin -- <username>` in a region and returns the password. */
export async function createRootAdminIn(region: RegionProcess, username: string): Promise<string> {
  const printed = await runAdminCommandIn(region, [username])
  const password = /password: (\S+)/.exec(printed)?.[1]
  if (!password) throw new Error(`no password was printed: ${printed}`)
  return password
}

/** Runs `npm run admin -- ...` in a region, with more settings, and returns what it prints. */
export async function runAdminCommandIn({ plan }: RegionProcess, args: string[], config: Record<string, string> = {}) {
  const options = { cwd: PROJECT_ROOT, env: { ...environmentOf(plan), ...config } }
  const { stdout } = await promisify(execFile)(process.execPath, ['src/server/admin.ts', ...args], options)
  return stdout
}

/** Changes the database of the primary directly, where the site has no command or only time does it. */
export function updateRegionDatabase({ plan }: RegionProcess, sql: string, ...values: (string | number)[]): void {
  const db = new Sqlite(databaseOf(plan), { timeout: 20_000 })
  db.prepare(sql).run(...values)
  db.close()
}

/** Whether the region knows a member of this name. */
export async function isRegisteredIn({ plan }: RegionProcess, username: string): Promise<boolean> {
  const answer = await fetch(`${originOf(plan)}/api/users/isRegister/${encodeURIComponent(username)}`)
  return ((await answer.json()) as { isRegister?: boolean }).isRegister === true // the contract of the route
}

/** Fetches a page of the region with a session. */
export async function fetchPage({ plan }: RegionProcess, { cookie }: Pick<RegionSession, 'cookie'>, path = '/room/1') {
  const answer = await fetch(originOf(plan) + path, { headers: { cookie }, redirect: 'manual' })
  return { status: answer.status, text: await answer.text(), region: answer.headers.get('x-meydan-region') }
}

/** The contents of room 1, oldest first, from the region's copy of the database. */
export function readMessageContents({ plan }: RegionProcess): string[] {
  const db = new Sqlite(databaseOf(plan), { readonly: true, timeout: 5_000 })
  try {
    return db.prepare('select content from message where roomId = 1 order by id').pluck().all() as string[] // the selected column
  } finally {
    db.close()
  }
}

/** A user in room 1, connected to a region until the test ends. */
export class RegionClient {
  readonly session: RegionSession
  readonly connection: LiveConnection
  readonly resumed: boolean

  private constructor(session: RegionSession, connection: LiveConnection, resumed: boolean) {
    this.session = session
    this.connection = connection
    this.resumed = resumed
  }

  /** Connects and joins the room; with a cursor, resumes from it if the region can. */
  static async connect({ plan }: RegionProcess, session: RegionSession, cursor?: number): Promise<RegionClient> {
    const resume = cursor === undefined ? {} : { cursor, roomId: 1 }
    const options: ConnectionOptions = { adminToken: session.adminToken, ...resume }
    const { connection, hello } = await LiveConnection.open(originOf(plan), session.token, options)
    onTestFinished(() => connection.terminate())
    if (hello.roomId === undefined) expectAnswer(await connection.request('joinRoom', { roomId: 1 }))
    return new RegionClient(session, connection, hello.resumed)
  }

  /** Sends a message. Throws when it is refused. */
  async sendMessage(content: string, clientId: string = randomUUID()) {
    return expectAnswer(await this.trySendMessage(content, clientId))
  }

  trySendMessage(content: string, clientId: string = randomUUID()): Promise<CommandAnswer<'sendMessage'> | Refusal> {
    return this.connection.request('sendMessage', { roomId: 1, content, clientId })
  }

  /** The received messages, in order of arrival. */
  receivedMessages(): Message[] {
    return this.connection.receivedEvents('message')
  }

  /** The contents of the received messages. */
  receivedContents(): string[] {
    return this.receivedMessages().map(({ content }) => content)
  }

  /** The online users of the room, sorted: the last snapshot and every change after it. */
  onlineUsernames(): string[] {
    const shown = new Map<string, boolean>()
    for (const { name, payload } of this.connection.events) {
      if (name === 'users-in-room') shown.clear()
      const { users = [], user, username, isOnline } = payload as PresencePayload
      if (name === 'users-in-room') for (const each of users) shown.set(each.username, each.isOnline)
      if (name === 'user-joined' && user) shown.set(user.username, user.isOnline)
      if (name === 'user-left' && username) shown.delete(username)
      if (name === 'userStatusChanged' && username && shown.has(username)) shown.set(username, isOnline === true)
    }
    return [...shown].flatMap(([username, online]) => (online ? username : [])).sort()
  }
}

/** The presence events of a room have some of these fields each (src/shared/rooms/protocol.ts). */
interface PresencePayload {
  users?: { username: string; isOnline: boolean }[]
  user?: { username: string; isOnline: boolean }
  username?: string
  isOnline?: boolean
}

/** Resolves when each viewer sees exactly these users online. */
export async function waitForPresence(
  viewers: RegionClient[],
  users: { session: RegionSession }[],
  deadlineMs?: number,
): Promise<void> {
  const expected = JSON.stringify(users.map(({ session }) => session.username).sort())
  const describeViews = () =>
    viewers.map((viewer) => `${viewer.session.username}: ${JSON.stringify(viewer.onlineUsernames())}`).join('; ')
  const isConsistent = () => viewers.every((viewer) => JSON.stringify(viewer.onlineUsernames()) === expected)
  await pollUntil(`all see ${expected}`, isConsistent, deadlineMs).catch((error: Error) => {
    throw new Error(`${error.message}; they see ${describeViews()}`)
  })
}

/** Resolves when each client has received all of the contents. */
export async function waitForContents(clients: RegionClient[], contents: string[], deadlineMs?: number): Promise<void> {
  const missing = (client: RegionClient) => {
    const received = new Set(client.receivedContents())
    return contents.filter((content) => !received.has(content))
  }
  await pollUntil('all is received', () => clients.every((each) => missing(each).length === 0), deadlineMs).catch(
    (error) => {
      const lacks = clients.map((each) => `${each.session.username} lacks ${missing(each).length}`).join(', ')
      throw new Error(`${error}: ${lacks} of ${contents.length}`)
    },
  )
}

async function postSignIn(
  { plan }: RegionProcess,
  route: string,
  body: object,
  address?: string,
): Promise<RegionSession> {
  const origin = originOf(plan)
  const answer = await fetch(`${origin}/api/users/${route}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin, ...(address && { 'X-Forwarded-For': address }) },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${route} in ${plan.name} answered ${answer.status}: ${await answer.text()}`)
  const { token, adminToken, user } = (await answer.json()) as SignedIn // the contract of the route
  const cookies = answer.headers.getSetCookie().map((header) => header.split(';')[0])
  return { username: user.username, token, adminToken, cookie: cookies.join('; ') }
}
