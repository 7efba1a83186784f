import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BanDuration } from '../../../shared/moderation/protocol.ts'
import type { Claims } from '../../kernel/database/transaction.ts'
import type { WriteResult } from '../../kernel/database/writer.ts'
import { listRestrictions, toBan } from '../../model/restrictions/queries.ts'
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

const activeBans = () =>
  listRestrictions(site.read, { kinds: ['siteBan', 'ghostBan'] }, site.clock.now).items.map(toBan)

function guestLogin(username: string, browser: string | null = null, address: string | null = null, actor?: Claims) {
  const fingerprint = { browserHash: browser, addressHash: address }
  const input = { username, gender: null, platform: 'web', fingerprint }
  const { answer, refusal } = site.run({ command: 'openGuestSession', input, ...(actor && { actor }) })
  if (refusal) throw new Error(refusal.code)
  site.clock.now += 1
  return answer as Claims // of openGuestSession
}

function register(username: string, browser: string, actor: Claims | null = null): Claims {
  const fingerprint = { browserHash: browser, addressHash: null }
  const terms = { passwordHash: 'hash', age: 30, gender: null, termsVersion: '1' }
  const input = { username, ...terms, platform: 'web', fingerprint }
  const { answer, refusal } = site.run({ command: 'registerMember', actor, input })
  if (refusal) throw new Error(refusal.code)
  return answer as Claims // of registerMember
}

function ghostBan(username: string, duration: BanDuration = 'indefinite', clientId?: string): WriteResult {
  const result = site.run({
    command: 'ghostBanGuest',
    actor: root,
    input: { username, duration },
    clientId: clientId ?? null,
  })
  site.clock.now += 1
  return result
}

const lift = (username: string) => site.run({ command: 'liftBan', actor: root, input: { username } })
const expire = () => site.run({ command: 'expireGhostBans' })
const isGhost = ({ userId }: Claims) =>
  site.db.prepare('select isGhost from user where id = ?').pluck().get(userId) === 1
const loggedNames = () =>
  site.db.prepare("select stream, name from event where name in ('ghostBanned', 'ghostBanLifted') order by seq").all()

describe('who is ghost-banned', () => {
  it('[GHOST-01] only by root admins, and only guests', () => {
    const ozan = site.addMember('ozan')
    const kaba = guestLogin('kaba')
    const input = { username: 'kaba', duration: '10min' }
    const actor = { userId: ozan, sessionId: ozan }
    const codes = [
      site.run({ command: 'ghostBanGuest', actor, input }),
      site.run({ command: 'ghostBanGuest', actor: kaba, input }),
      site.run({ command: 'ghostBanGuest', input }),
      ghostBan('ozan'),
      ghostBan('yönetici'),
      ghostBan('kimse'),
    ].map(({ refusal }) => refusal?.code)
    expect(codes).toEqual(['Forbidden', 'Forbidden', 'Forbidden', 'Forbidden', 'Forbidden', 'NotFound'])
    expect(isGhost(kaba)).toBe(false)
    expect(loggedNames()).toEqual([])
  })

  it('[GHOST-02] is stored with the reason and the kind, for root admins', () => {
    const kaba = guestLogin('kaba')
    expect(ghostBan('kaba', '1hr').answer).toMatchObject({
      ban: { kind: 'ghost', username: 'kaba', banReason: 'Sebep yok', duration: '1hr', isGuest: true },
    })
    expect(isGhost(kaba)).toBe(true)
    expect(activeBans()).toMatchObject([
      { kind: 'ghost', username: 'kaba', banReason: 'Sebep yok', bannedBy: 'yönetici' },
    ])
    expect(loggedNames()).toEqual([{ stream: 'admins', name: 'ghostBanned' }])
  })

  it('[GHOST-03] in one transaction: a retry with the same clientId is one ban', () => {
    guestLogin('kaba')
    const first = ghostBan('kaba', '1hr', '0b0f7a5e-7c1c-4b52-9d3c-0a4f0a4b0001')
    const again = ghostBan('kaba', '1hr', '0b0f7a5e-7c1c-4b52-9d3c-0a4f0a4b0001')
    expect(again.answer).toEqual(first.answer)
    expect(site.db.prepare('select count(*) from restriction').pluck().get()).toBe(1)
    expect(loggedNames()).toHaveLength(1)
  })
})

describe('a ghost ban holds', () => {
  it('[GHOST-04] for later guests of the same browser or address, and not for earlier ones', () => {
    const earlier = guestLogin('erken', 'B2', 'A1')
    guestLogin('kaba', 'B1', 'A1')
    const sameBrowser = guestLogin('ikinci', 'B1', 'A7')
    ghostBan('kaba')
    expect(isGhost(earlier)).toBe(false)
    expect(isGhost(sameBrowser)).toBe(true)
    expect(isGhost(guestLogin('yeni', 'B1', 'A9'))).toBe(true)
    expect(isGhost(guestLogin('komşu', 'B9', 'A1'))).toBe(true)
    expect(isGhost(guestLogin('uzak', 'B8', 'A8'))).toBe(false)
    expect(isGhost(guestLogin('erken', 'B2', 'A1', earlier))).toBe(false)
  })

  it('[GHOST-04] also for those whom an earlier one covered until its end', () => {
    const kaba = guestLogin('kaba', 'B1')
    ghostBan('kaba', '10min')
    const later = guestLogin('sonra', 'B1')
    expect(isGhost(later)).toBe(true)
    site.clock.now += 10 * MINUTE_MS
    expire()
    expect([kaba, later].map(isGhost)).toEqual([false, false])
    ghostBan('kaba')
    expect([kaba, later].map(isGhost)).toEqual([true, true])
  })

  it('[GHOST-04] over a new session of the same guest', () => {
    const kaba = guestLogin('kaba', 'B1')
    ghostBan('kaba')
    expect(isGhost(guestLogin('kaba', 'B1', null, kaba))).toBe(true)
  })

  it('[GHOST-05] when the guest registers, and for a new member from the same browser', () => {
    const kaba = guestLogin('kaba', 'B1')
    ghostBan('kaba')
    expect(isGhost(register('kibar', 'B1', kaba))).toBe(true)
    expect(isGhost(register('yepyeni', 'B1'))).toBe(true)
    expect(isGhost(register('başkası', 'B2'))).toBe(false)
  })

  it('[GHOST-05] for nobody who is a root admin', () => {
    const kaba = guestLogin('kaba', 'B1')
    ghostBan('kaba')
    const kibar = register('kibar', 'B1', kaba)
    const promote = () =>
      site.run({ command: 'changeRole', actor: root, input: { username: 'kibar', role: 'rootadmin' } })
    expect(promote().refusal?.code).toBe('Forbidden')
    lift('kibar')
    expect(isGhost(kibar)).toBe(false)
    expect(promote().refusal).toBeUndefined()
  })

  it('[GHOST-04] beside a ban from the site, which neither replaces nor ends it', () => {
    const kaba = guestLogin('kaba', 'B1')
    ghostBan('kaba')
    site.run({ command: 'banUser', actor: root, input: { username: 'kaba', duration: '10min', banReason: 'Diğer' } })
    site.clock.now += 10 * MINUTE_MS
    expire()
    expect(isGhost(kaba)).toBe(true)
  })
})

describe('a ghost ban ends', () => {
  it.each([
    ['10min', 10 * MINUTE_MS],
    ['1hr', HOUR_MS],
  ] as const)('[GHOST-06] %s later, for all whom it covers', (duration, durationMs) => {
    const kaba = guestLogin('kaba', 'B1')
    ghostBan('kaba', duration)
    const later = guestLogin('sonra', 'B1')
    site.clock.now += durationMs - 10
    expect(expire().answer).toEqual({ removed: 0 })
    expect([kaba, later].map(isGhost)).toEqual([true, true])
    site.clock.now += 10
    expect(expire().answer).toEqual({ removed: 2 })
    expect([kaba, later].map(isGhost)).toEqual([false, false])
    expect(loggedNames().slice(2)).toEqual([
      { stream: 'admins', name: 'ghostBanLifted' },
      { stream: 'admins', name: 'ghostBanLifted' },
    ])
    expect(isGhost(guestLogin('yine', 'B1'))).toBe(false)
    expect(activeBans()).toEqual([])
  })

  it('[GHOST-06] never when it is indefinite', () => {
    const kaba = guestLogin('kaba')
    ghostBan('kaba')
    site.clock.now += 10 * 365 * 24 * HOUR_MS
    expire()
    expect(isGhost(kaba)).toBe(true)
  })

  it('[GHOST-06] at the time of the latest one, also for those whom the first covered', () => {
    const kaba = guestLogin('kaba', 'B1')
    ghostBan('kaba', 'indefinite')
    const later = guestLogin('sonra', 'B1')
    ghostBan('kaba', '10min')
    site.clock.now += 10 * MINUTE_MS
    expire()
    expect([kaba, later].map(isGhost)).toEqual([false, false])
  })

  it('[GHOST-07] when it is lifted, under the name of anybody whom it covers', () => {
    const kaba = guestLogin('kaba', 'B1')
    ghostBan('kaba')
    const later = guestLogin('sonra', 'B1')
    const other = guestLogin('öteki', 'B7')
    ghostBan('öteki')
    expect(lift('sonra').answer).toEqual({ success: true })
    expect([kaba, later, other].map(isGhost)).toEqual([false, false, true])
    expect(isGhost(guestLogin('yine', 'B1'))).toBe(false)
    expect(lift('sonra').refusal?.code).toBe('NotFound')
  })
})
