import { decode } from '@msgpack/msgpack'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GUEST_NAME_HOLD_MS, GUEST_RETENTION_MS, SESSION_LIFETIME_MS } from '../../../../shared/accounts/rules.ts'
import { userStream } from '../../../kernel/database/events/streams.ts'
import type { Claims } from '../../../kernel/database/transaction.ts'
import { findUserByName, getAuthenticatedSession, toPerson, userById } from '../../../model/accounts/queries.ts'
import { openTestDatabase, type TestDatabase } from '../../../testing/fixtures/test-database.ts'

let site: TestDatabase
beforeEach(async () => {
  site = await openTestDatabase()
})
afterEach(() => site.close())

const signInContext = { platform: 'web' }

function openGuestSession(username: string, actor: Claims | null = null, more: object = {}) {
  const result = site.run({
    command: 'openGuestSession',
    actor,
    input: { username, gender: null, ...signInContext, ...more },
  })
  return result.refusal?.code ?? (result.answer as Claims)
}

function signedInClaims(username: string, more: object = {}): Claims {
  const answer = openGuestSession(username, null, more)
  if (typeof answer === 'string') throw new Error(answer)
  return answer
}

function emittedSessionEnds(): { stream: string; audience: string; message: string }[] {
  const rows = site.db.prepare("select stream, audience, payload from event where name = 'forceDisconnect'").all()
  return (rows as { stream: string; audience: string; payload: Uint8Array }[]).map(({ stream, audience, payload }) => ({
    stream,
    audience,
    message: (decode(payload) as { message: string }).message,
  }))
}

describe('openGuestSession', () => {
  it('[ACC-08] gives a guest no gender unless chosen, and the default avatar whatever the row has', () => {
    const { userId } = signedInClaims('Ali')
    const row = site.read.get(userById, { id: userId })
    if (!row) throw new Error('the guest has a row')
    expect(toPerson({ ...row, avatarUrl: 'x.webp', premiumUntil: 10 }, true, 5)).toEqual({
      id: userId,
      username: 'Ali',
      gender: null,
      avatarUrl: null,
      isGuest: true,
      isOnline: true,
      role: 'guest',
      premiumStatus: 'premium',
      premiumExpiryDate: 10,
      lastLoginPlatform: 'web',
    })
    expect(toPerson({ ...row, isGuest: 0, avatarUrl: 'x.webp', premiumUntil: 5 }, false, 5)).toMatchObject({
      avatarUrl: 'x.webp',
      isGuest: false,
      premiumStatus: 'guest',
    })
  })

  it.each(['ali', 'ALİ', 'ALI', 'Alı', 'ａｌｉ'])('[ACC-02] [ACC-04] refuses %s while Ali is active', (name) => {
    signedInClaims('Ali')
    expect(openGuestSession(name)).toBe('UsernameTaken')
  })

  it('[ACC-03] [ACC-04] refuses a reserved name and a member’s name', () => {
    site.addMember('Veli')
    site.clock.now += 10 * GUEST_NAME_HOLD_MS
    expect(openGuestSession('VELİ')).toBe('UsernameTaken')
    expect(openGuestSession('Admin_1')).toBe('UsernameReserved')
  })

  it('[ACC-04] gives away the name of a guest unseen for 30 minutes and ends that guest’s session', () => {
    const first = signedInClaims('Ali')
    site.clock.now += GUEST_NAME_HOLD_MS - 1
    expect(openGuestSession('ali')).toBe('UsernameTaken')
    site.clock.now += 1
    const second = signedInClaims('ali')
    expect(second.userId).not.toBe(first.userId)
    expect(getAuthenticatedSession(site.read, first)).toBeUndefined()
    expect(findUserByName(site.read, 'ALİ')?.id).toBe(second.userId)
    expect(emittedSessionEnds()).toMatchObject([
      { stream: userStream(first.userId), audience: `session:${first.sessionId}` },
    ])
  })

  it('[REG-25] returns the session whose answer was lost when the same browser retries within two minutes', () => {
    const fingerprint = { browserHash: 'its own', addressHash: null }
    const { userId, sessionId } = signedInClaims('Ali', { fingerprint })
    expect(openGuestSession('ali', null, { fingerprint })).toEqual({ userId, sessionId, key: 0 })
    const another = { fingerprint: { ...fingerprint, browserHash: 'another' } }
    expect(openGuestSession('ali', null, another)).toBe('UsernameTaken')
    expect(openGuestSession('ali')).toBe('UsernameTaken')
    site.clock.now += 2 * 60_000 + 1
    expect(openGuestSession('ali', null, { fingerprint })).toBe('UsernameTaken')
  })

  it('[ACC-04] keeps the name of a guest while touchUsers records them as online', () => {
    const { userId } = signedInClaims('Ali')
    for (let i = 0; i < 3; i++) {
      site.clock.now += GUEST_NAME_HOLD_MS - 1
      expect(site.run({ command: 'touchUsers', input: { userIds: [userId, 999] } }).answer).toEqual({ touched: 1 })
    }
    expect(openGuestSession('ali')).toBe('UsernameTaken')
  })

  it('[ACC-26] continues the same guest under the same name, and updates platform and gender', () => {
    const ali = signedInClaims('Ali')
    expect(openGuestSession('ALİ', ali, { gender: 'male', platform: 'mobile' })).toEqual({
      userId: ali.userId,
      sessionId: ali.sessionId,
    })
    expect(site.read.get(userById, { id: ali.userId })).toMatchObject({
      username: 'Ali',
      gender: 'male',
      lastLoginPlatform: 'mobile',
    })
    expect(openGuestSession('Ali', ali)).toMatchObject({ userId: ali.userId })
    expect(site.read.get(userById, { id: ali.userId })?.gender).toBe('male')
  })

  it('[ACC-26] creates another guest for another name', () => {
    const ali = signedInClaims('Ali')
    const other = openGuestSession('Ayşe', ali)
    expect(other).not.toMatchObject({ userId: ali.userId })
    expect(getAuthenticatedSession(site.read, ali)).toBeDefined()
  })

  it('[ACC-26] refuses an ended session and another guest’s session', () => {
    const ali = signedInClaims('Ali')
    const veli = signedInClaims('Veli')
    expect(openGuestSession('Ali', { ...veli, userId: ali.userId })).toBe('SessionEnded')
    site.run({ command: 'endSession', actor: ali })
    expect(openGuestSession('Ali', ali)).toBe('SessionEnded')
  })

  it('gives sessions random ids without duplicates', () => {
    const ids = ['Ali', 'Veli', 'Can'].map((name) => signedInClaims(name).sessionId)
    expect(new Set(ids).size).toBe(3)
    expect(Math.max(...ids)).toBeGreaterThan(2 ** 30)
  })
})

describe('openMemberSession', () => {
  const open = (input: object) => {
    const result = site.run({
      command: 'openMemberSession',
      input: { ...signInContext, passwordHash: 'hash', ...input },
    })
    return result.refusal?.code ?? (result.answer as Claims)
  }

  it('refuses when the stored hash has changed or the row is missing', () => {
    const userId = site.addMember('Veli')
    expect(open({ userId })).toBe('LoginFailed')
    expect(open({ userId: 999 })).toBe('LoginFailed')
    site.db.prepare("update user set passwordHash = 'hash'").run()
    expect(open({ userId })).toMatchObject({ userId })
  })
})

describe('a session', () => {
  it('[ACC-13] emits forceDisconnect to its own connections when it ends, and leaves the user’s other sessions open', () => {
    const userId = site.addMember('Veli')
    site.db.prepare("update user set passwordHash = 'hash'").run()
    const open = () => {
      const { answer } = site.run({
        command: 'openMemberSession',
        input: { ...signInContext, userId, passwordHash: 'hash' },
      })
      return answer as Claims // the answer of openMemberSession
    }
    const [one, other] = [open(), open()]
    expect(site.run({ command: 'endSession', actor: one }).answer).toEqual({ ended: true })
    expect(getAuthenticatedSession(site.read, one)).toBeUndefined()
    expect(getAuthenticatedSession(site.read, other)).toBeDefined()
    expect(emittedSessionEnds()).toEqual([
      { stream: userStream(userId), audience: `session:${one.sessionId}`, message: 'Oturumun kapatıldı.' },
    ])
    expect(site.run({ command: 'endSession', actor: one }).refusal?.code).toBe('SessionEnded')
    expect(site.run({ command: 'touchSession', actor: one }).refusal?.code).toBe('SessionEnded')
    expect(emittedSessionEnds()).toHaveLength(1)
  })

  it('[ACC-09] authenticates only its own user, whatever user id the claims have', () => {
    const [ali, veli] = [signedInClaims('Ali'), signedInClaims('Veli')]
    expect(getAuthenticatedSession(site.read, { userId: ali.userId, sessionId: veli.sessionId })).toBeUndefined()
    expect(getAuthenticatedSession(site.read, veli)?.user.username).toBe('Veli')
  })

  it('expires after 30 days without use, and is kept by use', () => {
    const [usedClaims, unused] = [signedInClaims('Ali'), signedInClaims('Veli')]
    site.db.prepare('update user set isGuest = 0').run()
    site.clock.now += SESSION_LIFETIME_MS
    site.run({ command: 'touchSession', actor: usedClaims })
    site.clock.now += 1
    expect(site.run({ command: 'sweepAccounts' }).answer).toEqual({ removed: 1 })
    expect(getAuthenticatedSession(site.read, usedClaims)).toBeDefined()
    expect(getAuthenticatedSession(site.read, unused)).toBeUndefined()
    expect(site.run({ command: 'sweepAccounts' }).answer).toEqual({ removed: 0 })
  })

  it('[ACC-04] of a guest unseen for a day ends, and the name is released', () => {
    const expired = signedInClaims('Ali')
    site.clock.now += GUEST_RETENTION_MS
    const active = signedInClaims('Veli')
    site.clock.now += 1
    expect(site.run({ command: 'sweepAccounts' }).answer).toEqual({ removed: 1 })
    expect(findUserByName(site.read, 'Ali')).toBeUndefined()
    expect(getAuthenticatedSession(site.read, expired)).toBeUndefined()
    expect(getAuthenticatedSession(site.read, active)).toBeDefined()
  })

  it('is swept in steps of 200', () => {
    for (let i = 0; i < 250; i++) signedInClaims(`gezgin${i}`)
    site.clock.now += GUEST_RETENTION_MS + 1
    const steps = [1, 2, 3].map(() => (site.run({ command: 'sweepAccounts' }).answer as { removed: number }).removed)
    expect(steps).toEqual([200, 50, 0])
  })
})

describe('makeRootAdmin', () => {
  const make = (username: string) => site.run({ command: 'makeRootAdmin', input: { username, passwordHash: 'hash' } })

  it('[ACC-19] creates a root admin, or promotes a member and ends the member’s sessions', () => {
    const userId = site.addMember('veli')
    const sessionId = userId

    expect(make('Ayşe').answer).toMatchObject({ username: 'Ayşe', isNew: true })
    expect(make('VELİ').answer).toEqual({ userId, username: 'veli', isNew: false })
    expect(site.read.get(userById, { id: userId })).toMatchObject({ role: 'rootadmin', passwordHash: 'hash' })
    expect(getAuthenticatedSession(site.read, { userId, sessionId })).toBeUndefined()
    expect(emittedSessionEnds()).toMatchObject([{ audience: `session:${sessionId}` }])
  })

  it('[ACC-19] refuses the name of an active guest and takes that of an expired one', () => {
    signedInClaims('Ali')
    expect(make('ali').refusal?.code).toBe('UsernameTaken')
    site.clock.now += GUEST_NAME_HOLD_MS
    expect(make('ali').answer).toMatchObject({ username: 'ali', isNew: true })
    expect(findUserByName(site.read, 'Ali')?.role).toBe('rootadmin')
  })
})
