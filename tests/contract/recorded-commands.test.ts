import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openForWriting } from '../../src/server/kernel/database/open.ts'
import { query } from '../../src/server/model/schema/query.ts'
import type { TestClient } from '../../src/server/testing/fixtures/test-region.ts'
import { type CommandName, commands, routes } from '../../src/shared/protocol/catalogue.ts'
import type { CommandSpec, RouteSpec } from '../../src/shared/protocol/define.ts'
import { type HttpRegion, startHttpRegion } from '../drivers/http-region.ts'

/** Inputs of commands that a root admin or the staff of a room gives about others: each records one action. */
const INPUTS: Record<string, () => object> = {
  banUser: () => ({ targetname: 'kaba', duration: '10min', banReason: 'Diğer' }),
  clearRoomMessages: () => ({ roomId: 1 }),
  ghostBanGuest: () => ({ username: 'gölge', banDuration: '10min', banReason: 'Sebep yok', isGuest: true }),
  removeMessage: () => ({ messageId: insertMessage() }),
  restoreMessage: () => ({ messageId: removedMessageId }),
}

/** Commands that users give about their own things. A command that takes a client id and is in neither list fails. */
const OWN_THINGS = new Set([
  'sendMessage',
  'sendDirectMessage',
  'sendGift',
  'allowDirectMedia',
  'updatePrivacySettings',
  'confirmWarning',
])

/** Routes that take no key, as each read of what is private is an action of its own. */
const READS_WITHOUT_KEY: readonly string[] = ['linkedAccounts', 'readHeldText']

const actionCount = query()((db) => db.selectFrom('actionEntry').select((eb) => eb.fn.countAll<number>().as('count')))

let site: HttpRegion
let root: TestClient
beforeAll(async () => {
  site = await startHttpRegion({ MEYDAN_LIMIT_SCALE: '1000' })
  for (const name of ['kaba', 'gölge']) await site.region.createGuest(name)
  await site.region.createMember('üye')
  root = await site.region.connectAs(await site.region.createRootAdmin('yönetici'))
})
afterAll(() => site.close())

/** Of the command that ran before the one that restores it. */
let removedMessageId = 0

/** A message of a member in the first room. */
function insertMessage(): number {
  const db = openForWriting(site.region.appContext.config.databaseFile)
  const insert = db.prepare(
    `insert into message (roomId, senderId, content, consecutiveCount, audience, clientId, createdAt)
     select 1, id, 'kaba bir söz', 1, null, ?, ? from user where username = 'üye'`,
  )
  removedMessageId = Number(insert.run(randomUUID(), Date.now()).lastInsertRowid)
  db.close()
  return removedMessageId
}

const countActions = () => site.region.appContext.reader.get(actionCount)?.count ?? 0

const writing = Object.entries<CommandSpec>(commands).filter(([, { retry }]) => retry === 'clientId')

it('[AUDIT-05] knows every command that writes', () => {
  const known = [...Object.keys(INPUTS), ...OWN_THINGS]
  expect(writing.map(([name]) => name).toSorted()).toEqual(known.toSorted())
  expect(writing.filter(([name, { access }]) => access === 'rootadmin' && OWN_THINGS.has(name))).toEqual([])
})

it.each(Object.entries(INPUTS))('[AUDIT-05] %s records one action, also when it is repeated', async (name, input) => {
  const before = countActions()
  const repeated = { ...input(), clientId: randomUUID() }
  for (const _ of [1, 2]) {
    expect(await root.request(name as CommandName, repeated as never)).not.toHaveProperty('code') // INPUTS has its input
  }
  expect(countActions() - before).toBe(1)
})

it('[AUDIT-05] lets root admins write by routes with a key, which idempotency.test.ts calls, but for recorded reads', () => {
  const others = Object.entries<RouteSpec>(routes)
    .filter(([, { access, method, retry }]) => access === 'rootadmin' && method !== 'GET' && retry === 'none')
    .map(([name]) => name)
    .toSorted()
  expect(others).toEqual(READS_WITHOUT_KEY)
})

it('[AUDIT-02] has no route or command that changes the action log', () => {
  const paths = Object.values<RouteSpec>(routes).filter(({ path }) => path.includes('/actions'))
  expect(paths.filter(({ method }) => method !== 'GET')).toEqual([])
  expect(Object.keys(commands).filter((name) => /action/i.test(name))).toEqual([])
})
