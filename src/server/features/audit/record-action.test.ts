import { afterEach, beforeEach, expect, it } from 'vitest'
import { MAX_ACTION_DETAIL_LENGTH, MAX_ACTION_REASON_LENGTH } from '../../../shared/audit/limits.ts'
import { commandRegistry } from '../../commands.ts'
import { WriterTransaction } from '../../kernel/database/transaction.ts'
import { type RecordedAction, recordAction } from '../../model/audit/transactions.ts'
import { onUserRemoved } from '../../model/sessions/transactions.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { banUser } from '../moderation/ban-user.ts'
import { clearRoomMessages } from '../moderation/clear-room-messages.ts'
import { liftBan } from '../moderation/lift-ban.ts'
import { setMaintenance } from '../moderation/set-maintenance.ts'

let base: TestDatabase
let adminId: number
let memberId: number
beforeEach(async () => {
  base = await openTestDatabase()
  adminId = base.addMember('Başkan', 'rootadmin')
  memberId = base.addMember('Kaba')
})
afterEach(() => base.close())

const admin = () => ({ userId: adminId, sessionId: adminId })

/** Runs statements in a transaction of their own, with the hooks of all features. */
function commit(run: (tx: WriterTransaction) => void): void {
  const tx = new WriterTransaction(base.db, commandRegistry.hooks)
  tx.begin(base.clock.now)
  run(tx)
  tx.commit()
}
const record = (action: RecordedAction) => commit((tx) => recordAction(tx, action))

/** The entries with the names at the time, the oldest first. */
const entries = () =>
  base.db
    .prepare(
      `select kind, actor.username as actor, target.username as target, roomId, subjectType, subjectId, reason, endsAt, details, at
       from actionEntry
       left join actionName as actor on actor.id = actorNameId
       left join actionName as target on target.id = targetNameId
       order by actionEntry.id`,
    )
    .all()
const NOTHING = { roomId: null, subjectType: null, subjectId: null, reason: null, endsAt: null, details: null }

it('[AUDIT-01] keeps all of an action, with the names as they were', () => {
  record({
    kind: 'siteBan',
    actorId: adminId,
    targetUserId: memberId,
    roomId: 1,
    subject: { type: 'roomMessage', id: 7 },
    reason: 'Diğer',
    endsAt: 5,
    details: { price: 5, isOn: true, text: 'bir', none: null },
  })
  base.db.prepare("update user set username = 'Nazik', foldedName = 'nazik' where id = ?").run(memberId)
  record({ kind: 'siteBanLifted', actorId: adminId, targetUserId: memberId })
  const at = base.clock.now
  expect(entries()).toEqual([
    {
      kind: 'siteBan',
      actor: 'Başkan',
      target: 'Kaba',
      roomId: 1,
      subjectType: 'roomMessage',
      subjectId: 7,
      reason: 'Diğer',
      endsAt: 5,
      details: '{"price":5,"isOn":true,"text":"bir","none":null}',
      at,
    },
    { kind: 'siteBanLifted', actor: 'Başkan', target: 'Nazik', ...NOTHING, at },
  ])
})

it('[AUDIT-01] cuts a long reason and long details off, between characters', () => {
  const long = `x${'😀'.repeat(MAX_ACTION_REASON_LENGTH)}`
  record({ kind: 'siteBan', actorId: null, reason: long, details: { text: long } })
  const [{ reason, details }] = entries() as [{ reason: string; details: string }]
  expect(reason).toBe(long.slice(0, MAX_ACTION_REASON_LENGTH - 1))
  expect(JSON.parse(details)).toEqual({ text: long.slice(0, MAX_ACTION_DETAIL_LENGTH - 1) })
})

it('[AUDIT-01] keeps no characters that would turn or hide the rest of an entry', () => {
  const reason = '\u202Enabaş \u2066x\u0007'
  record({ kind: 'siteMute', actorId: adminId, reason, details: { text: '\u202Ea\u0000b' } })
  expect(entries()).toMatchObject([{ reason: 'nabaş x', details: '{"text":"ab"}' }])
})

it.each([
  ['update actionEntry set reason = null', 'append-only'],
  ['update actionEntry set id = id + 1', 'append-only'],
  ['delete from actionEntry', 'append-only'],
  ["insert or replace into actionEntry (id, kind, at) select id, 'x', 0 from actionEntry", 'append-only'],
  ['delete from actionName', 'append-only'],
  ["update actionName set username = 'Başka', foldedName = 'başka'", 'only erased'],
  ['update actionName set userId = 1', 'only erased'],
  ["insert or replace into actionName select id, userId, 'x', 'x' from actionName", 'append-only'],
  ["insert or replace into actionName select id + 100, userId, username, 'x' from actionName", 'append-only'],
])('[AUDIT-02] refuses: %s', (statement, message) => {
  record({ kind: 'siteBan', actorId: adminId, targetUserId: memberId })
  const before = entries()
  expect(() => base.db.exec(statement)).toThrow(message)
  expect(entries()).toEqual(before)
})

it('[AUDIT-03] erases the names of an erased account, and keeps those of a guest who has gone', () => {
  record({ kind: 'siteBan', actorId: adminId, targetUserId: memberId })
  commit((tx) => tx.runHooks(onUserRemoved, { userId: memberId, reason: 'guestNameReleased' }))
  expect(entries()).toMatchObject([{ actor: 'Başkan', target: 'Kaba' }])
  commit((tx) => tx.runHooks(onUserRemoved, { userId: memberId, reason: 'accountErased' }))
  expect(entries()).toMatchObject([{ kind: 'siteBan', actor: 'Başkan', target: null }])
})

it('[AUDIT-04] records the commands of moderation, and no retry of them', () => {
  const { now } = base.clock
  const ban = { username: 'Kaba', duration: '1hr', banReason: 'Diğer' } as const
  const clientId = '00000000-0000-4000-8000-000000000000'
  for (const _ of [1, 2]) base.run({ command: banUser.name, actor: admin(), input: ban, clientId })
  base.run({ command: liftBan.name, actor: admin(), input: { username: 'Kaba' } })
  base.run({ command: liftBan.name, actor: admin(), input: { username: 'Kaba' } })
  base.run({ command: clearRoomMessages.name, actor: admin(), input: { roomId: 1 } })
  for (const isOn of [true, true, false]) base.run({ command: setMaintenance.name, input: { isOn } })
  const [actor, target] = ['Başkan', 'Kaba']
  expect(entries()).toEqual([
    { ...NOTHING, kind: 'siteBan', actor, target, reason: 'Diğer', endsAt: now + 60 * 60_000, at: now },
    { ...NOTHING, kind: 'siteBanLifted', actor, target, at: now },
    { ...NOTHING, kind: 'roomCleared', actor, target: null, roomId: 1, at: now },
    { ...NOTHING, kind: 'maintenanceStarted', actor: null, target: null, at: now },
    { ...NOTHING, kind: 'maintenanceEnded', actor: null, target: null, at: now },
  ])
})
