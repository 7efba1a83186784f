// @module-tag deep
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SignedIn } from '../../src/shared/accounts/protocol.ts'
import type { Message } from '../../src/shared/room-chat/message.ts'
import { expectAnswer, LiveConnection, signIn, signInAsGuest } from '../drivers/live-connection.ts'
import { type SiteProcess, startSite } from '../drivers/site-process.ts'

/** A user in room 1. */
interface Person {
  user: SignedIn
  connection: LiveConnection
}

let site: SiteProcess
let root: SignedIn
let reporter: Person
const reported: Record<string, { user: SignedIn; messageId: number }> = {}

beforeAll(async () => {
  site = await startSite({ env: { MEYDAN_LIMIT_SCALE: '1000', MEYDAN_JOIN_WAIT_MS: '0' } })
  root = await signIn(site.origin, 'Kök', await site.createRootAdmin('Kök'))
  reporter = await enter(await signInAsGuest(site.origin, 'Bildiren'))
  // All before the first ban, which covers later guests of this address.
  for (const decision of Object.keys(checks)) {
    const person = await enter(await signInAsGuest(site.origin, `Kaba-${decision}`))
    reported[decision] = { user: person.user, messageId: await sendMessage(person, `Kötü söz, ${decision}`) }
  }
  return () => site.stop()
})

async function enter(user: SignedIn, cursor?: number): Promise<Person> {
  const resume = cursor === undefined ? {} : { cursor }
  const { connection } = await LiveConnection.open(site.origin, user.token, resume)
  expectAnswer(await connection.request('joinRoom', { roomId: 1 }))
  return { user, connection }
}

const send = ({ connection }: Person, content: string) => connection.request('sendMessage', { roomId: 1, content })

async function sendMessage(person: Person, content: string): Promise<number> {
  const { id } = expectAnswer(await send(person, content))
  return id ?? expect.unreachable('a message with a text has an id')
}

const messagesFor = async ({ connection }: Person): Promise<readonly Message[]> =>
  expectAnswer(await connection.request('getMessages', { roomId: 1 })).messages

async function post(token: string | undefined, path: string, body: object, key: string = randomUUID()) {
  const headers = { 'content-type': 'application/json', origin: site.origin, authorization: `Bearer ${token}` }
  const answer = await fetch(`${site.origin}/api${path}`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': key },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as Record<string, unknown> // answers are objects
}

/** Reports the message, and resolves with the id of the report. */
async function report(messageId: number): Promise<number> {
  const body = { messageId, roomId: 1, reason: 'insult' }
  expect(await post(reporter.user.token, '/rooms/report', body)).toMatchObject({ success: true })
  return readNumber('select max(id) from report')
}

function readNumber(sql: string, ...params: number[]): number {
  const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { readonly: true, timeout: 5_000 })
  const found = db
    .prepare(sql)
    .pluck()
    .get(...params)
  db.close()
  return Number(found)
}

interface Restarted {
  user: SignedIn
  messageId: number
  /** Where the reported user was before the decision. */
  cursor: number
  bystander: Person
}

/** What is in effect after the restart, for the reported user and for others. */
const checks: Record<string, (people: Restarted) => Promise<void>> = {
  mute: async ({ user, cursor }) => {
    const person = await enter(user, cursor)
    for (const name of ['ownSanctions', 'ownMuteChanged'] as const)
      await person.connection.waitFor(() => person.connection.receivedEvents(name).length > 0)
    expect(person.connection.receivedEvents('ownSanctions')[0]?.mutes).toMatchObject([
      { roomId: null, reason: 'Dikkat' },
    ])
    expect(person.connection.receivedEvents('ownMuteChanged')).toHaveLength(1)
    expect(await send(person, 'Yine ben')).toMatchObject({ body: { code: 'Muted' } })
  },
  remove: async ({ user, cursor, messageId, bystander }) => {
    for (const viewer of [await enter(user, cursor), bystander]) {
      const message = (await messagesFor(viewer)).find(({ id }) => id === messageId)
      expect(message).toMatchObject({ content: '', isRemoved: true })
    }
  },
  ghostBan: async ({ user, cursor, bystander }) => {
    const person = await enter(user, cursor)
    const id = await sendMessage(person, 'Gizli söz')
    const seenIds = async (viewer: Person) => (await messagesFor(viewer)).map((message) => message.id)
    expect(await seenIds(person)).toContain(id)
    expect(await seenIds(bystander)).not.toContain(id)
    const marked = (await messagesFor(await enter(root))).find((message) => message.id === id)
    expect(marked).toMatchObject({ isGhost: true })
  },
  ban: async ({ user, messageId, bystander }) => {
    await expect(enter(user)).rejects.toThrow('Banned')
    expect((await messagesFor(bystander)).map(({ id }) => id)).not.toContain(messageId)
  },
}

describe('a site that is killed with -9 between the answer to a decision and the delivery of its effects', () => {
  it.each(Object.entries(checks))(
    '[REPORT-12] has %s in effect, and answers a retry alike',
    async (decision, check) => {
      const { user, messageId } = reported[decision] ?? expect.unreachable(decision)
      const { connection } = await enter(user)
      const { cursor } = connection
      const reportId = await report(messageId)
      for (const { socket } of [connection, reporter.connection]) socket.pause()
      const input = { reportIds: [reportId], decision, duration: '1hr', text: 'Dikkat' }
      const key = randomUUID()
      const answer = await post(root.adminToken, '/moderation/reports/decide', input, key)
      await site.kill9()
      expect(answer).toMatchObject({ success: true, decision: { decision, reportIds: [reportId] } })
      for (const each of [connection, reporter.connection]) each.terminate()
      await site.restart()

      reporter = await enter(reporter.user)
      await check({ user, messageId, cursor, bystander: reporter })
      expect(await post(root.adminToken, '/moderation/reports/decide', input, key)).toEqual(answer)
      const { id } = answer.decision as { id: number } // the route's schema
      expect(readNumber('select count(*) from reportDecision where id = ?', id)).toBe(1)
      expect(readNumber('select isOpen from report where id = ?', reportId)).toBe(0)
      expect(readNumber(`select count(*) from notification where type = 'reportDecided' and requestId = ?`, id)).toBe(1)
      expect(readNumber(`select count(*) from actionEntry where kind = 'reportsDecided' and subjectId = ?`, id)).toBe(1)
    },
  )
})
