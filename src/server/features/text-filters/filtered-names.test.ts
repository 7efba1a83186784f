import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Claims } from '../../kernel/database/transaction.ts'
import { listFilterHits } from '../../model/text-filters/queries.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { listAlerts } from './alert-queries.ts'

let base: TestDatabase
let root: number
beforeEach(async () => {
  base = await openTestDatabase()
  root = base.addMember('kök', 'rootadmin')
})
afterEach(() => base.close())

function addEntry(pattern: string, action: 'holdBack' | 'replace' | 'alert'): void {
  const input = { patterns: [pattern], match: 'stem', action, replacement: null, exceptions: [] }
  const actor = { userId: root, sessionId: root }
  expect(base.run({ command: 'addFilterEntries', actor, clientId: randomUUID(), input }).refusal).toBeUndefined()
}
const signIn = { platform: 'web', fingerprint: { browserHash: null, addressHash: null } }
const enter = (username: string, actor: Claims | null = null) =>
  base.run({ command: 'openGuestSession', actor, input: { ...signIn, username, gender: null } })
function register(username: string, actor: Claims | null = null) {
  const terms = { passwordHash: 'hash', age: 30, gender: null, termsVersion: '1' }
  return base.run({ command: 'registerMember', actor, input: { ...signIn, ...terms, username } })
}
const names = () => base.db.prepare('select username from user where id <> ? order by id').pluck().all(root)

it.each(['holdBack', 'replace'] as const)(
  '[FILTER-24] refuses a new name at guest login and at sign-up where a text would be stopped by %s',
  (action) => {
    addEntry('salak', action)
    const refusal = { code: 'UsernameReserved', path: 'username', message: expect.stringContaining('kullanıcı adı') }
    expect(enter('S4lak_1').refusal).toMatchObject(refusal)
    expect(register('salakça').refusal).toMatchObject(refusal)
    expect([names(), listFilterHits(base.read, undefined, base.clock.now).hits]).toEqual([[], []])
    const guest = enter('Ada').answer as Claims
    expect(register('Salak', guest).refusal).toMatchObject(refusal)
    expect(names()).toEqual(['Ada'])
    expect(register('Ada2', guest).refusal).toBeUndefined()
    expect(names()).toEqual(['Ada2'])
  },
)

it('[FILTER-24] keeps names that stand already', () => {
  const guest = enter('Salak').answer as Claims
  addEntry('salak', 'holdBack')
  expect(enter('Salak', guest).answer).toEqual(guest)
  expect(register('salak', guest).answer).toMatchObject({ userId: guest.userId })
  expect(names()).toEqual(['salak'])
})

it('[FILTER-24] raises an alert for a name with a word that alerts, and accepts it', () => {
  addEntry('bomba', 'alert')
  const { userId } = enter('Bomba').answer as Claims
  const place = { kind: 'profile' }
  expect(listFilterHits(base.read, undefined, base.clock.now).hits).toMatchObject([
    { user: { id: userId }, place, word: 'Bomba', action: 'alert' },
  ])
  expect(listAlerts(base.read, { state: 'open' }, base.clock.now).alerts).toMatchObject([{ kind: 'word', place }])
})
