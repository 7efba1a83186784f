import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { refusals } from '../../../shared/protocol/refusals.ts'
import { commandRegistry } from '../../commands.ts'
import { RecordedRefusal } from '../../kernel/database/commands/recorded-refusal.ts'
import type { WriteJob } from '../../kernel/database/writer.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { query } from '../schema/query.ts'
import { onTextScreening } from './transactions.ts'

const insertSetting = query()((db) => db.updateTable('siteState').set({ maintenanceSince: 1 }))

let base: TestDatabase
let ada: number
let can: number
/** A feature that replaces, refuses with and without a record, or throws. */
const handler = onTextScreening.handledBy((tx, draft) => {
  if (draft.refusal) return
  draft.text = draft.text.replaceAll('kötü', '****')
  if (!draft.text.includes('sakla')) return
  tx.run(insertSetting)
  draft.refusal = new RecordedRefusal({ code: 'Forbidden', message: refusals.Forbidden.message })
})

beforeEach(async () => {
  base = await openTestDatabase({ ...commandRegistry, hooks: [...commandRegistry.hooks, handler] })
  ada = base.addMember('ada')
  can = base.addMember('can')
})
afterEach(() => base.close())

const roomJob = (content: string, clientId = randomUUID() as string): WriteJob => ({
  id: 1,
  command: 'sendMessage',
  actor: { userId: ada, sessionId: ada },
  clientId,
  input: { roomId: 1, content, clientId, inRoomForMs: 60_000 },
})
const directJob = (content: string, clientId = randomUUID() as string): WriteJob => ({
  id: 1,
  command: 'sendDirectMessage',
  actor: { userId: ada, sessionId: ada },
  clientId,
  input: { recipientId: can, content, mediaId: null, replyToId: null, clientId },
})
const contents = (table: 'message' | 'directMessage') =>
  base.db.prepare(`select content from ${table} order by id`).pluck().all()
const maintenanceSince = () => base.db.prepare('select maintenanceSince from siteState').pluck().get()

it('stores the text that a handler returns, and answers a retry with the sent one', () => {
  for (const [make, table] of [
    [roomJob, 'message'],
    [directJob, 'directMessage'],
  ] as const) {
    const clientId = randomUUID()
    const first = base.run(make('ne kötü söz', clientId))
    expect(base.run(make('ne kötü söz', clientId)).answer).toEqual(first.answer)
    expect(contents(table)).toEqual(['Ne **** söz'])
  }
})

it('keeps what a command with a recorded refusal wrote, alone and beside a command that fails', () => {
  const failing: WriteJob = { ...roomJob('x'), input: { roomId: 1, clientId: 'x' } }
  for (const batch of [[roomJob('bunu sakla')], [roomJob('bir'), roomJob('bunu sakla'), failing]]) {
    base.db.exec('update siteState set maintenanceSince = null')
    const { results } = base.writer.runBatch(batch)
    expect(results.map(({ refusal }) => refusal?.code)).toContain('Forbidden')
    expect(maintenanceSince()).toBe(1)
  }
  expect(contents('message')).toEqual(['Bir'])
})
