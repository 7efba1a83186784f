import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACTIONS_PER_PAGE, MAX_PROFILE_ACTIONS } from '../../../shared/audit/limits.ts'
import type { Action } from '../../../shared/audit/protocol.ts'
import { WriterTransaction } from '../../kernel/database/transaction.ts'
import { actionPages, listActionsOfUser } from '../../model/audit/queries.ts'
import { type RecordedAction, recordAction } from '../../model/audit/transactions.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { type ListActions, listActions } from './list-actions.ts'

const DAY_MS = 24 * 60 * 60_000
const KINDS = ['siteBan', 'roomCleared', 'roomBan', 'slowModeChanged'] as const
const COUNT = 240

let base: TestDatabase
let adminId: number
let staffId: number
let rudeId: number
beforeAll(async () => {
  base = await openTestDatabase()
  adminId = base.addMember('Başkan', 'rootadmin')
  staffId = base.addMember('Yardımcı')
  rudeId = base.addMember('Kaba')
  for (let number = 0; number < COUNT; number++) {
    base.clock.now += DAY_MS / 10
    const kind = KINDS[number % KINDS.length] ?? 'siteBan'
    record({
      kind,
      actorId: number % 3 === 0 ? staffId : adminId,
      targetUserId: number % 5 === 0 ? rudeId : null,
      roomId: number % 2 === 0 ? 1 : null,
    })
  }
})
afterAll(() => base.close())

function record(action: RecordedAction): void {
  const tx = new WriterTransaction(base.db)
  tx.begin(base.clock.now)
  recordAction(tx, action)
  tx.commit()
}

/** Every entry that a filter finds, page by page. */
function listAll(filter: ListActions): Action[] {
  const found: Action[] = []
  for (let before: string | undefined; ; ) {
    const page = listActions(base.read, { ...filter, before })
    expect(page.actions.length).toBeLessThanOrEqual(ACTIONS_PER_PAGE)
    found.push(...page.actions)
    if (page.next === null) return found
    before = page.next
  }
}

const all = () => listAll({})
const dayOf = (at: number) => new Date(at + 3 * 60 * 60_000).toISOString().slice(0, 10)

describe('the pages of the action log', () => {
  it('[AUDIT-06] have every entry once, the latest first', () => {
    const ids = all().map(({ id }) => id)
    expect(ids).toHaveLength(COUNT)
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    expect(new Set(ids).size).toBe(COUNT)
  })

  it.each<[string, () => ListActions, (action: Action) => boolean]>([
    ['a person as the actor', () => ({ username: 'yardımcı', side: 'actor' }), ({ actor }) => actor?.id === staffId],
    ['a person as the target', () => ({ username: 'KABA', side: 'target' }), ({ target }) => target?.id === rudeId],
    ['a person as either', () => ({ username: 'Kaba' }), ({ target }) => target?.id === rudeId],
    ['a room', () => ({ roomName: roomName() }), ({ room }) => room?.id === 1],
    ['a kind', () => ({ kind: 'roomBan' }), ({ kind }) => kind === 'roomBan'],
    [
      'days',
      () => ({ fromDay: dayOf(base.clock.now - 9 * DAY_MS), toDay: dayOf(base.clock.now - 5 * DAY_MS) }),
      ({ at }) => dayOf(at) >= dayOf(base.clock.now - 9 * DAY_MS) && dayOf(at) <= dayOf(base.clock.now - 5 * DAY_MS),
    ],
    [
      'all of them',
      () => ({ username: 'Başkan', side: 'actor', roomName: roomName(), kind: 'siteBan', fromDay: '2023-11-17' }),
      ({ actor, room, kind, at }) =>
        actor?.id === adminId && room?.id === 1 && kind === 'siteBan' && dayOf(at) >= '2023-11-17',
    ],
  ])('[AUDIT-06] are filtered by %s', (_, filter, matches) => {
    const expected = all().filter(matches)
    expect(expected.length).toBeGreaterThan(5)
    expect(listAll(filter())).toEqual(expected)
  })

  it.each<[string, ListActions]>([
    ['a name that nobody has had', { username: 'kimse' }],
    ['a room that there is not', { roomName: 'yok' }],
    ['a kind that there is not', { kind: 'yok' }],
  ])('[AUDIT-06] are empty for %s', (_, filter) => {
    expect(listActions(base.read, filter)).toEqual({ actions: [], next: null })
  })

  it('[AUDIT-06] find a person by each name that they had, and link to the one they have', () => {
    const personId = base.addMember('Eski')
    record({ kind: 'siteBan', actorId: adminId, targetUserId: personId })
    base.db.prepare("update user set username = 'Yeni', foldedName = 'yeni' where id = ?").run(personId)
    const target = { id: personId, username: 'Eski', currentUsername: 'Yeni' }
    for (const username of ['eski', 'yeni'])
      expect(listActions(base.read, { username }).actions).toMatchObject([{ target }])
    base.db.prepare('update user set nameReleasedAt = 1 where id = ?').run(personId)
    expect(listActions(base.read, { username: 'eski' }).actions).toMatchObject([
      { target: { ...target, currentUsername: null } },
    ])
  })
})

it('[AUDIT-06] reads each page as a range of an index, in its order', () => {
  expect(actionPages.size).toBe(12)
  for (const [key, { sql }] of actionPages) {
    const plan = base.db
      .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
      .all(...Array(sql.split('?').length - 1).fill(1))
      .map(({ detail }) => detail)
    const [side, hasRoom, hasKind] = key.split(' ')
    const index = { actor: 'Actor', target: 'Target' }[side ?? ''] ?? (hasRoom === 'true' ? 'Room' : null)
    const name = `actionEntryBy${index ?? (hasKind === 'true' ? 'Kind' : 'Time')}`
    expect(plan[0], key).toMatch(new RegExp(`^SEARCH entry USING INDEX ${name} \\(.*at`))
    expect(plan.filter((step) => step.includes('B-TREE') || /^SCAN/.test(step))).toEqual([])
  }
})

it('[AUDIT-07] bounds the entries of a profile, the latest first', () => {
  const ofAdmin = listActionsOfUser(base.read, adminId, MAX_PROFILE_ACTIONS)
  const expected = all().filter(({ actor, target }) => actor?.id === adminId || target?.id === adminId)
  expect(expected.length).toBeGreaterThan(MAX_PROFILE_ACTIONS)
  expect(ofAdmin).toEqual(expected.slice(0, MAX_PROFILE_ACTIONS))
})

function roomName(): string {
  return (base.db.prepare('select name from room where id = 1').get() as { name: string }).name
}
