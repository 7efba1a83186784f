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
import { expectAnswer, LiveConnection, type ResumeOptions } from '../drivers/live-connection.ts'
import { PROJECT_ROOT } from '../drivers/site-process.ts'
import type { Cluster } from './cluster.ts'

/** What a region gave whom it let in. Good in every region. */
export interface RegionSession {
  username: string
  token: string
  /** For what only root admins may do over HTTP. */
  adminToken?: string | undefined
  /** As a browser sends it back. */
  cookie: string
}

let nameCount = 0
/** A name that nobody has: a test that is tried again may meet the people of its first try. */
export function uniqueName(start: string): string {
  return `${start}${++nameCount}`
}

/** Enters as a guest over HTTP. Throws when the region does not let in. */
export function signInGuestIn(
  region: RegionProcess,
  username: string,
  from: ClientOrigin = {},
): Promise<RegionSession> {
  const { browserId, address } = from
  return postSignIn(region, 'guest-login', { username, gender: 'other', ...(browserId && { browserId }) }, address)
}

/** From which browser and address somebody enters, where that matters; the region has to trust this machine as a proxy. */
export interface ClientOrigin {
  browserId?: string
  address?: string
}

/** Signs in over HTTP. Throws when the region does not let in. */
export function signInMemberIn(region: RegionProcess, username: string, password: string): Promise<RegionSession> {
  return postSignIn(region, 'login', { username, password })
}

/** Root admins may talk without the room's waits. Signs a new one in, in each of these regions, by its name. */
export async function signInRootAdmins<N extends string>(
  cluster: Cluster,
  ...regions: N[]
): Promise<Record<N, RegionSession>> {
  const primary = cluster.region(await pollUntil('a primary', cluster.primary))
  const sessions: [string, RegionSession][] = []
  for (const name of regions) {
    const username = uniqueName(`Yetkin${name}`)
    const password = await createRootAdminIn(primary, username)
    await pollUntil(`${name} knows ${username}`, () => isRegisteredIn(cluster.region(name), username))
    sessions.push([name, await signInMemberIn(cluster.region(name), username, password)])
  }
  return Object.fromEntries(sessions) as Record<N, RegionSession> // one for each name
}

/** `npm run admin -- <username>` in a region; answers the password. */
export async function createRootAdminIn(region: RegionProcess, username: string): Promise<string> {
  const printed = await runAdminCommandIn(region, [username])
  const password = /password: (\S+)/.exec(printed)?.[1]
  if (!password) throw new Error(`no password was printed: ${printed}`)
  return password
}

/** What `npm run admin -- ...` prints in a region, with other settings where some are given. */
export async function runAdminCommandIn(
  { plan }: RegionProcess,
  args: string[],
  settings: Record<string, string> = {},
) {
  const options = { cwd: PROJECT_ROOT, env: { ...environmentOf(plan), ...settings } }
  const { stdout } = await promisify(execFile)(process.execPath, ['src/server/admin.ts', ...args], options)
  return stdout
}

/** Changes the region's copy of the database past the site: a feature of later does it, or time that has passed. */
export function updateRegionDatabase({ plan }: RegionProcess, sql: string, ...values: (string | number)[]): void {
  const db = new Sqlite(databaseOf(plan), { timeout: 20_000 })
  db.prepare(sql).run(...values)
  db.close()
}

/** Whether a member of that name is known in the region. */
export async function isRegisteredIn({ plan }: RegionProcess, username: string): Promise<boolean> {
  const answer = await fetch(`${originOf(plan)}/api/users/isRegister/${encodeURIComponent(username)}`)
  return ((await answer.json()) as { isRegister?: boolean }).isRegister === true // the contract of the route
}

/** A page as the region shows it to whoever has this session. */
export async function fetchPage({ plan }: RegionProcess, { cookie }: Pick<RegionSession, 'cookie'>, path = '/room/1') {
  const answer = await fetch(originOf(plan) + path, { headers: { cookie }, redirect: 'manual' })
  return { status: answer.status, text: await answer.text(), region: answer.headers.get('x-meydan-region') }
}

/** What was said in room 1, oldest first, as it is in the region's copy of the database. */
export function readMessageContents({ plan }: RegionProcess): string[] {
  const db = new Sqlite(databaseOf(plan), { readonly: true, timeout: 5_000 })
  try {
    return db.prepare('select content from message where roomId = 1 order by id').pluck().all() as string[] // the one column asked for
  } finally {
    db.close()
  }
}

/** Somebody in room 1, over a line to a region, until the test ends. */
export class RegionClient {
  readonly session: RegionSession
  readonly connection: LiveConnection
  readonly resumed: boolean

  private constructor(session: RegionSession, line: LiveConnection, resumed: boolean) {
    this.session = session
    this.connection = line
    this.resumed = resumed
  }

  /** Connects and enters the room; with a cursor, goes on from there where the region can. */
  static async connect({ plan }: RegionProcess, session: RegionSession, cursor?: number): Promise<RegionClient> {
    const options: ResumeOptions = cursor === undefined ? {} : { cursor, roomId: 1 }
    const { line, hello } = await LiveConnection.open(originOf(plan), session.token, options)
    onTestFinished(() => line.terminate())
    if (hello.roomId === undefined) expectAnswer(await line.request('joinRoom', { roomId: 1 }))
    return new RegionClient(session, line, hello.resumed)
  }

  /** Says something; throws when it is refused. */
  async sendMessage(content: string, clientId: string = randomUUID()) {
    return expectAnswer(await this.trySendMessage(content, clientId))
  }

  trySendMessage(content: string, clientId: string = randomUUID()): Promise<CommandAnswer<'sendMessage'> | Refusal> {
    return this.connection.request('sendMessage', { roomId: 1, content, clientId })
  }

  /** What was heard, in the order of hearing. */
  receivedMessages(): Message[] {
    return this.connection.receivedEvents('message')
  }

  /** What was heard, without the rest. */
  receivedContents(): string[] {
    return this.receivedMessages().map(({ content }) => content)
  }

  /** Whom the room's list shows as being there, sorted: the last snapshot and every change after it. */
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

/** Of the events about who is in the room, each has some of these (src/shared/rooms/protocol.ts). */
interface PresencePayload {
  users?: { username: string; isOnline: boolean }[]
  user?: { username: string; isOnline: boolean }
  username?: string
  isOnline?: boolean
}

/** Resolves when everyone's list shows exactly these people. */
export async function waitForPresence(
  viewers: RegionClient[],
  people: { session: RegionSession }[],
  deadlineMs?: number,
): Promise<void> {
  const expected = JSON.stringify(people.map(({ session }) => session.username).sort())
  const shown = () =>
    viewers.map((viewer) => `${viewer.session.username}: ${JSON.stringify(viewer.onlineUsernames())}`).join('; ')
  const alike = () => viewers.every((viewer) => JSON.stringify(viewer.onlineUsernames()) === expected)
  await pollUntil(`all see ${expected}`, alike, deadlineMs).catch((error: Error) => {
    throw new Error(`${error.message}; they see ${shown()}`)
  })
}

/** Resolves when each has heard all of these. */
export async function waitForContents(
  listeners: RegionClient[],
  contents: string[],
  deadlineMs?: number,
): Promise<void> {
  const missing = (person: RegionClient) => {
    const heard = new Set(person.receivedContents())
    return contents.filter((content) => !heard.has(content))
  }
  await pollUntil('all is heard', () => listeners.every((each) => missing(each).length === 0), deadlineMs).catch(
    (error) => {
      const lacks = listeners.map((each) => `${each.session.username} lacks ${missing(each).length}`).join(', ')
      throw new Error(`${error}: ${lacks} of ${contents.length}`)
    },
  )
}

async function postSignIn(
  { plan }: RegionProcess,
  way: string,
  body: object,
  address?: string,
): Promise<RegionSession> {
  const origin = originOf(plan)
  const answer = await fetch(`${origin}/api/users/${way}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin, ...(address && { 'X-Forwarded-For': address }) },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${way} in ${plan.name} answered ${answer.status}: ${await answer.text()}`)
  const { token, adminToken, user } = (await answer.json()) as SignedIn // the contract of the route
  const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0])
  return { username: user.username, token, adminToken, cookie: cookie.join('; ') }
}
