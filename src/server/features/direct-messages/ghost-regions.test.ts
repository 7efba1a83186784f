import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CommandInput } from '../../../shared/protocol/catalogue.ts'
import { Kind } from '../../../shared/protocol/frame.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { LoggedEvent } from '../../kernel/database/events/logged-event.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { OpenConnection } from '../../kernel/live/connection.ts'
import { Publisher } from '../../kernel/live/publisher.ts'
import { toPerson, userById } from '../../model/accounts/queries.ts'
import { createFakeTransport, type FakeTransport } from '../../testing/fixtures/fake-transport.ts'
import { openTestConnection } from '../../testing/fixtures/test-connection.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { type ContactWatch, createContactWatch } from './contact-watch.ts'
import { createHiddenReadReceipts, type HiddenReadReceipts } from './hidden-read-receipts.ts'

/** A region that gets the log from the database, and has connections of the same users. */
interface TestedRegion {
  publisher: Publisher
  watch: ContactWatch
  hiddenReceipts: HiddenReadReceipts
  tabs: Map<number, { connection: OpenConnection; transport: FakeTransport }>
}

let database: TestDatabase
let regions: TestedRegion[]
let ghost: number
let can: number
let admin: number
let clientId = 0

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  database = await openTestDatabase()
  ghost = database.addMember('hayalet')
  can = database.addMember('can')
  admin = database.addMember('kök', 'rootadmin')
  regions = [openRegion(), openRegion()]
})
afterEach(() => {
  for (const { hiddenReceipts } of regions) hiddenReceipts.close()
  vi.useRealTimers()
  database.close()
})

function openRegion(): TestedRegion {
  const publisher = new Publisher(database.read.cursor())
  const execute = async (write: { name: string }, actor: null, input: object) =>
    run({ command: write.name, actor, input })
  const appContext = { publisher, reader: database.read, execute, log: pino({ enabled: false }) }
  const watch = createContactWatch(appContext as unknown as AppContext) // what they use
  const hiddenReceipts = createHiddenReadReceipts(appContext as unknown as AppContext, watch.isOpenFor) // as above
  const tabs = new Map([ghost, can, admin].map((userId) => [userId, openTab(publisher, userId)]))
  return { publisher, watch, hiddenReceipts, tabs }
}

function openTab(publisher: Publisher, userId: number) {
  const row = database.read.get(userById, { id: userId })
  if (!row) throw new Error('no such user')
  const transport = createFakeTransport(() => {})
  const connection = openTestConnection(transport, { person: toPerson(row, true, database.clock.now) })
  publisher.subscribe(connection, userStream(userId), 0)
  return { connection, transport }
}

/** Runs a command, and lets its events reach all regions. */
function run(job: Parameters<TestDatabase['run']>[0]) {
  const { answer, refusal } = database.run(job)
  if (refusal) throw new Error(refusal.code)
  publishLog()
  return answer as Record<string, unknown> // of the command
}

function publishLog(): void {
  const rows = database.db
    .prepare('select seq, stream, actorId, audience, name, payload from event order by seq')
    .all() as LoggedEvent[] // the columns of the statement
  for (const { publisher } of regions) publisher.publish(rows)
}

function send(from: number, recipientId: number, content: string): void {
  const message = { recipientId, content, mediaId: null, replyToId: null, clientId: `mesaj-${++clientId}` }
  const input = { ...message } satisfies Partial<CommandInput<'sendDirectMessage'>>
  const actor = { userId: from, sessionId: from }
  run({ command: 'sendDirectMessage', actor, input, clientId: message.clientId })
}

const setGhost = (isGhost: 0 | 1) =>
  run({
    command: isGhost ? 'ghostBanGuest' : 'liftBan',
    actor: { userId: admin, sessionId: admin },
    input: { username: 'hayalet', duration: 'indefinite' },
  })

/** What the user's connection in each region has received: the names and texts of events. */
async function receivedBy(userId: number): Promise<string[][]> {
  await vi.advanceTimersByTimeAsync(100)
  return regions.map(({ tabs }) =>
    (tabs.get(userId)?.transport.received ?? []).flatMap((value) => {
      if (value[0] !== Kind.event) return []
      const { content, upToId, isGhost } = value[3] as Record<string, unknown>
      return [[value[2], content ?? upToId, ...(isGhost ? ['Hayalet'] : [])].join(' ')]
    }),
  )
}

describe('in two regions', () => {
  it('[GHOSTD-13] a ghost’s message comes to the ghost and a root admin who is its recipient, everywhere', async () => {
    database.db.prepare('update user set isGuest = 1 where id = ?').run(ghost)
    send(ghost, can, 'bir')
    setGhost(1)
    send(ghost, can, 'iki')
    send(ghost, admin, 'üç')
    send(can, ghost, 'dört')
    setGhost(0)
    send(ghost, can, 'beş')
    const messages = (events: string[][]) => events.map((names) => names.filter((name) => /^directMessage/.test(name)))
    const own = ['Bir', 'İki', 'Üç', 'Dört', 'Beş'].map((text) => `directMessage ${text}`)
    expect(messages(await receivedBy(ghost))).toEqual([own, own])
    const seen = ['directMessage Bir', 'directMessage Dört', 'directMessage Beş']
    expect(messages(await receivedBy(can))).toEqual([seen, seen])
    const marked = ['directMessage Üç Hayalet']
    expect(messages(await receivedBy(admin))).toEqual([marked, marked])
  })

  it('[GHOSTD-13] the region in which the other has the conversation open shows the ghost the ticks, once', async () => {
    database.db.prepare('update user set isGuest = 1 where id = ?').run(ghost)
    setGhost(1)
    const [, second] = regions
    const connection = second?.tabs.get(can)?.connection
    if (!second || !connection) throw new Error('the other has a tab in the second region')
    send(ghost, can, 'kapalı')
    await vi.advanceTimersByTimeAsync(1_000)
    second.watch.add(connection, ghost, '')
    send(ghost, can, 'açık')
    send(ghost, can, 'açık yine')
    await vi.advanceTimersByTimeAsync(1_000)
    const ticks = (await receivedBy(ghost)).map((names) => names.filter((name) => name.startsWith('messagesRead')))
    expect(ticks).toEqual([['messagesRead 3'], ['messagesRead 3']])
    expect(await receivedBy(can)).toEqual([[], []])
  })
})
