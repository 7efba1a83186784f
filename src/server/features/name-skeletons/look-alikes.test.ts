import { afterEach, beforeEach, expect, it } from 'vitest'
import { GUEST_NAME_HOLD_MS } from '../../../shared/accounts/rules.ts'
import { nameSkeleton } from '../../../shared/text/name-skeleton.ts'
import type { Claims } from '../../kernel/database/transaction.ts'
import { hasRoomLookAlike } from '../../model/name-skeletons/queries.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'

let base: TestDatabase
beforeEach(async () => {
  base = await openTestDatabase()
})
afterEach(() => base.close())

const signIn = { platform: 'web', browserHash: null, fingerprint: { browserHash: null, addressHash: null } }
const enter = (username: string, actor: Claims | null = null) =>
  base.run({ command: 'openGuestSession', actor, input: { ...signIn, username, gender: null } })
function register(username: string, actor: Claims | null = null) {
  const terms = { passwordHash: 'hash', age: 30, gender: null, termsVersion: '1' }
  return base.run({ command: 'registerMember', actor, input: { ...signIn, ...terms, username } })
}
const names = () => base.db.prepare('select username from user order by id').pluck().all()

const taken = { code: 'UsernameTaken', message: 'Bu kullanıcı adı alınmış. Lütfen başka bir ad seç.' }

it.each([
  ['Kemal', 'KemaI'],
  ['Akmin', 'Aĸmin'],
  ['Merve', 'Rnerve'],
])('[ACC-87] refuses a guest and a member a name that is confusable with %s: %s', (name, other) => {
  register(name)
  expect(enter(other).refusal).toMatchObject(taken)
  expect(register(other).refusal).toMatchObject(taken)
  const guest = enter('Lale').answer as Claims
  expect(register(other, guest).refusal).toMatchObject(taken)
  expect(names()).toEqual([name, 'Lale'])
})

it('[ACC-87] takes a name that is confusable with that of a guest who has lost theirs', () => {
  enter('Kemal')
  expect(enter('KemaI').refusal).toMatchObject(taken)
  base.clock.now += GUEST_NAME_HOLD_MS
  expect(enter('KemaI').refusal).toBeUndefined()
})

it('[ACC-87] finds the member, or the guest who holds the name, behind 20 expired guests', () => {
  for (const holder of ['Kemal', 'Merve']) {
    for (let count = 0; count < 20; count++) enter(`konuk${holder}${count}`)
    base.db
      .prepare('update user set skeleton = ?, lastSeenAt = 1 where username like ?')
      .run(nameSkeleton(holder), `konuk${holder}%`)
  }
  register('Kemal')
  base.clock.now += GUEST_NAME_HOLD_MS
  enter('Merve')
  expect(enter('KemaI').refusal).toMatchObject(taken)
  expect(enter('Rnerve').refusal).toMatchObject(taken)
})

it('[ACC-87] lets nobody come to such a name over the letter case of their own', () => {
  register('Kemal')
  const guest = enter('kemai').answer as Claims
  expect(register('KemaI', guest).refusal).toMatchObject(taken)
  expect(register('Kemai', guest).refusal).toBeUndefined()
})

it('[ACC-87] lets names that stand already stay, and stores what they look like', () => {
  const [kemal, other] = [base.addMember('kemal'), base.addMember('Kema1')]
  const guest = enter('veli').answer as Claims
  base.db.exec('update user set skeleton = null')
  base.run({ command: 'fillSkeletons' })
  expect(base.db.prepare('select skeleton from user where id in (?, ?)').pluck().all(kemal, other)).toEqual([
    'kernal',
    'kernal',
  ])
  expect(base.db.prepare('select count(*) from user where skeleton is null').pluck().get()).toBe(0)
  expect(enter('KEMAl').refusal).toMatchObject(taken)
  expect(enter('veli', guest).answer).toMatchObject({ userId: guest.userId })
  expect(register('veli', guest).refusal).toBeUndefined()
})

it('[ACC-88] knows what the default rooms look like after a step of the job', () => {
  base.run({ command: 'seedDefaultRooms' })
  expect(hasRoomLookAlike(base.read, 'S0hbet')).toBe(false)
  base.run({ command: 'fillSkeletons' })
  expect(hasRoomLookAlike(base.read, 'S0hbet')).toBe(true)
  expect(hasRoomLookAlike(base.read, 'Sohbetler')).toBe(false)
})
