import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { MAX_FINGERPRINTS_OF_USER } from '../../../shared/text-filters/limits.ts'
import { fingerprintsOfUser } from '../../model/fingerprints/queries.ts'
import { findFingerprintBan } from '../../model/restrictions/queries.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { listFingerprintBans } from './fingerprint-ban-queries.ts'
import { findLinkedAccounts } from './linked-accounts.ts'

const DAY_MS = 24 * 60 * 60_000

let base: TestDatabase
let root: number
let ada: number
let can: number
let ece: number
beforeEach(async () => {
  base = await openTestDatabase()
  root = base.addMember('kök', 'rootadmin')
  ada = base.addMember('ada')
  can = base.addMember('can')
  ece = base.addMember('ece')
})
afterEach(() => base.close())

const runAs = (userId: number, command: string, input: object, clientId: string = randomUUID()) =>
  base.run({ command, actor: { userId, sessionId: userId }, clientId, input })
const touch = (userId: number, browserHash: string | null, addressHash: string | null) =>
  runAs(userId, 'touchAccountMarks', { browserHash, addressHash })
const linkedTo = (userId: number) => findLinkedAccounts(base.read, { userId, now: base.clock.now })
const markBans = () => listFingerprintBans(base.read, base.clock.now).markBans
const terms = { username: 'ada', duration: '1hr', banReason: 'Diğer' } as const
const isBanned = (browserHash: string | null, addressHash: string | null) =>
  findFingerprintBan(
    base.read,
    { role: 'guest', fingerprint: { browserHash, addressHash }, enteredAt: base.clock.now },
    base.clock.now,
  ) !== null

it('[FILTER-16] finds accounts that share a browser or an address, those with a browser first', () => {
  touch(ada, 'b1', 'a1')
  touch(ada, 'b2', 'a1')
  touch(can, 'b9', 'a1')
  touch(ece, 'b2', null)
  touch(root, 'b8', 'a8')
  const { accounts, ...own } = linkedTo(ada)
  expect(own).toEqual({ browsers: 2, addresses: 1, hasMore: false })
  expect(accounts.map(({ user, browsers, addresses }) => [user.username, browsers, addresses])).toEqual([
    ['ece', 1, 0],
    ['can', 0, 1],
  ])
  expect(JSON.stringify(accounts)).not.toMatch(/"[ab]\d"/)
})

it('[FILTER-17] keeps 20 fingerprints of a kind for 30 days, and none of an erased account', () => {
  for (let i = 0; i < MAX_FINGERPRINTS_OF_USER + 3; i++) {
    base.clock.now += 1
    touch(ada, `b${i}`, 'a1')
  }
  expect(base.read.all(fingerprintsOfUser, { userId: ada })).toHaveLength(MAX_FINGERPRINTS_OF_USER + 1)
  expect(base.read.all(fingerprintsOfUser, { userId: ada }).map(({ hash }) => hash)).not.toContain('b2')
  base.clock.now += 30 * DAY_MS + 1
  touch(ada, null, 'a2')
  base.run({ command: 'trimFilterRecords' })
  expect(base.read.all(fingerprintsOfUser, { userId: ada }).map(({ hash }) => hash)).toEqual(['a2'])
})

it('[FILTER-18] records each look-up, also a retry of one, for root admins alone', () => {
  expect(runAs(ada, 'recordLookUp', { username: 'can' }).refusal?.code).toBe('Forbidden')
  expect(runAs(root, 'recordLookUp', { username: 'yok' }).refusal?.code).toBe('NotFound')
  const key = randomUUID()
  for (let look = 0; look < 2; look++)
    expect(runAs(root, 'recordLookUp', { username: 'can' }, key).answer).toEqual({ userId: can })
  const actions = base.db.prepare('select kind, actorId, targetId from actionEntry').all()
  const entry = { kind: 'linkedAccountsRead', actorId: root, targetId: can }
  expect(actions).toEqual([entry, entry])
})

it('[FILTER-19] bans an account with its browsers or recent addresses until the ban ends, and lifts each', () => {
  touch(ada, null, 'eski')
  base.clock.now += 3 * DAY_MS
  touch(ada, 'b1', 'a1')
  expect(runAs(can, 'banMarks', { ...terms, covers: ['browser'] }).refusal?.code).toBe('Forbidden')
  expect(runAs(root, 'banMarks', { ...terms, covers: ['browser', 'address'] }).answer).toMatchObject({
    markBan: { browsers: 1, addresses: 1, ban: { username: 'ada', endsAt: base.clock.now + 60 * 60_000 } },
  })
  expect([isBanned('b1', null), isBanned(null, 'a1'), isBanned('b9', 'eski')]).toEqual([true, true, false])
  const [{ ban } = { ban: { id: 0 } }] = markBans()
  const lift = (kind: string) => runAs(root, 'liftMarkBan', { banId: ban.id, kind })
  expect(lift('browser').refusal).toBeUndefined()
  expect([isBanned('b1', null), isBanned(null, 'a1')]).toEqual([false, true])
  expect(lift('browser').refusal?.code).toBe('NotFound')
  expect(markBans()).toMatchObject([{ browsers: 0, addresses: 1 }])
  base.clock.now += 60 * 60_000
  expect([isBanned(null, 'a1'), markBans()]).toEqual([false, []])
})

it('[FILTER-19] adds fingerprints to a ban with the same terms, and refuses accounts without known fingerprints', () => {
  expect(runAs(root, 'banMarks', { ...terms, covers: ['browser'] }).refusal?.code).toBe('NotFound')
  touch(ada, 'b1', 'a1')
  runAs(root, 'banUser', terms)
  runAs(root, 'banMarks', { ...terms, covers: ['browser'] })
  runAs(root, 'banMarks', { ...terms, covers: ['address'] })
  expect(markBans()).toMatchObject([{ browsers: 1, addresses: 1 }])
  expect(runAs(root, 'banMarks', { ...terms, username: 'kök', covers: ['browser'] }).refusal?.code).toBe('NotFound')
  touch(root, 'b5', null)
  expect(runAs(root, 'banMarks', { ...terms, username: 'kök', covers: ['browser'] }).refusal?.code).toBe('Forbidden')
  expect(runAs(can, 'liftMarkBan', { banId: 1, kind: 'browser' }).refusal?.code).toBe('Forbidden')
})
