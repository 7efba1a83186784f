import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BanDuration } from '../../../shared/moderation/protocol.ts'
import type { Claims } from '../../kernel/database/transaction.ts'
import type { WriteResult } from '../../kernel/database/writer.ts'
import { getActiveRestriction, listRestrictions } from '../../model/restrictions/queries.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let site: TestDatabase
let root: Claims
beforeEach(async () => {
  site = await openTestDatabase()
  const id = site.addMember('yönetici', 'rootadmin')
  root = { userId: id, sessionId: id }
})
afterEach(() => site.close())

function openGuestSession(username: string, browser: string | null = null, address: string | null = null): WriteResult {
  const input = {
    username,
    gender: null,
    platform: 'web',
    fingerprint: { browserHash: browser, addressHash: address },
  }
  return site.run({ command: 'openGuestSession', input })
}

function ban(username: string, duration: BanDuration): WriteResult {
  return site.run({ command: 'banUser', actor: root, input: { username, duration, banReason: 'Diğer' } })
}

const listBans = (before?: number) =>
  listRestrictions(site.read, { kinds: ['siteBan', 'ghostBan'] }, site.clock.now, before)
const activeBans = () => listBans().items

describe('the duration of a ban', () => {
  it.each([
    ['10min', 10 * MINUTE_MS],
    ['1hr', HOUR_MS],
  ] as const)('[MOD-02] [MOD-07] of %s ends by itself for the browser and the address', (duration, durationMs) => {
    openGuestSession('kaba', 'B1', 'A1')
    ban('kaba', duration)
    const attempt = () =>
      [openGuestSession('bir', 'B1', 'A9'), openGuestSession('iki', 'B9', 'A1')].map(
        ({ refusal }) => refusal?.code ?? 'signed in',
      )
    site.clock.now += durationMs - 1
    expect(attempt()).toEqual(['Banned', 'Banned'])
    expect(activeBans()).toHaveLength(1)
    site.clock.now += 1
    expect(attempt()).toEqual(['signed in', 'signed in'])
    expect(activeBans()).toEqual([])
  })

  it('[MOD-02] [MOD-07] of an indefinite ban never ends', () => {
    openGuestSession('kaba', 'B1')
    ban('kaba', 'indefinite')
    site.clock.now += 10 * 365 * 24 * HOUR_MS
    expect(openGuestSession('bir', 'B1').refusal?.code).toBe('Banned')
  })

  it('[MOD-07] is that of the latest ban when a user is banned again', () => {
    openGuestSession('kaba', 'B1')
    ban('kaba', 'indefinite')
    ban('kaba', '10min')
    expect(activeBans()).toHaveLength(1)
    site.clock.now += 10 * MINUTE_MS
    expect(openGuestSession('bir', 'B1').refusal).toBeUndefined()
  })

  it('[MOD-05] [MOD-07] lets a member sign in again after it ends', () => {
    const userId = site.addMember('ozan')
    site.db.prepare("update user set passwordHash = 'hash' where id = ?").run(userId)
    const input = { userId, passwordHash: 'hash', platform: 'web' }
    ban('ozan', '10min')
    expect(site.run({ command: 'openMemberSession', input }).refusal?.code).toBe('Banned')
    site.clock.now += 10 * MINUTE_MS
    expect(site.run({ command: 'openMemberSession', input }).answer).toMatchObject({ userId })
    expect(getActiveRestriction(site.read, { kind: 'siteBan', userId }, site.clock.now)).toBeUndefined()
  })
})

it('[MOD-06] refuses an address only for guests who sign in after the ban', () => {
  const early = openGuestSession('kardeş', 'B2', 'A1').answer as Claims // the answer of openGuestSession
  openGuestSession('kaba', 'B1', 'A1')
  site.clock.now += 1
  ban('kaba', '1hr')
  const sameGuest = {
    username: 'kardeş',
    gender: null,
    platform: 'web',
    fingerprint: { browserHash: 'B2', addressHash: 'A1' },
  }
  expect(site.run({ command: 'openGuestSession', actor: early, input: sameGuest }).answer).toEqual(early)
  expect(openGuestSession('yeni', 'B3', 'A1').refusal?.code).toBe('Banned')
})

it('[MOD-06] deletes fingerprints after 30 days, but not those of bans', () => {
  const countFingerprints = () => site.db.prepare('select count(*) from accountMark').pluck().get()
  openGuestSession('papatya', 'B2', 'A2')
  openGuestSession('kaba', 'B1', 'A1')
  ban('kaba', 'indefinite')
  site.run({ command: 'trimFilterRecords' })
  expect(countFingerprints()).toBe(4)
  site.clock.now += 30 * 24 * HOUR_MS + 1
  site.run({ command: 'trimFilterRecords' })
  expect(countFingerprints()).toBe(0)
  expect(openGuestSession('bir', 'B1').refusal?.code).toBe('Banned')
})

it('[MOD-09] pages through bans, newest first', () => {
  for (let i = 1; i <= 60; i++) {
    openGuestSession(`kaba${i}`)
    ban(`kaba${i}`, 'indefinite')
  }
  const first = listBans()
  expect(first.items.map(({ username }) => username).slice(0, 2)).toEqual(['kaba60', 'kaba59'])
  const second = listBans(first.next ?? 0)
  expect([...first.items, ...second.items].map(({ username }) => username)).toEqual(
    Array.from({ length: 60 }, (_, i) => `kaba${60 - i}`),
  )
  expect(second.next).toBeNull()
})

it('[MOD-01] [MOD-11] refuses commands whose actor is not a root admin by the row', () => {
  openGuestSession('kaba')
  const member = site.addMember('ozan')
  const actor = { userId: member, sessionId: member }
  const input = { username: 'kaba', duration: '10min', banReason: 'Diğer' }
  const results = [
    site.run({ command: 'banUser', actor, input }),
    site.run({ command: 'banUser', input }),
    site.run({ command: 'liftBan', actor, input: { username: 'kaba' } }),
    site.run({ command: 'clearRoomMessages', actor, input: { roomId: 1 } }),
  ]
  expect(results.map(({ refusal }) => refusal?.code)).toEqual(['Forbidden', 'Forbidden', 'Forbidden', 'Forbidden'])
})
