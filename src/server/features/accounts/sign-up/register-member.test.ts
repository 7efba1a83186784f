import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GUEST_NAME_HOLD_MS, GUEST_RETENTION_MS } from '../../../../shared/accounts/rules.ts'
import type { Claims } from '../../../kernel/database/transaction.ts'
import { findUserByName, getAuthenticatedSession, userById } from '../../../model/accounts/queries.ts'
import { openTestDatabase, type TestDatabase } from '../../../testing/fixtures/test-database.ts'

let site: TestDatabase
beforeEach(async () => {
  site = await openTestDatabase()
})
afterEach(() => site.close())

const signInContext = { platform: 'web', fingerprint: { browserHash: null, addressHash: null } }
const input = (username: string) => ({
  ...signInContext,
  username,
  passwordHash: 'hash',
  age: 30,
  gender: null,
  termsVersion: '1',
})

function openGuestSession(username: string): Claims {
  return site.run({ command: 'openGuestSession', input: { ...signInContext, username, gender: 'male' } })
    .answer as Claims // the answer of openGuestSession
}

function register(username: string, actor: Claims | null = null) {
  const result = site.run({ command: 'registerMember', actor, input: input(username) })
  return result.refusal?.code ?? (result.answer as Claims)
}

describe('registerMember', () => {
  it('[ACC-33] takes over an expired guest’s name and ends that guest’s session', () => {
    const expired = openGuestSession('Ali')
    expect(register('ali')).toBe('UsernameTaken')
    site.clock.now += GUEST_NAME_HOLD_MS
    const member = register('ALİ') as Claims
    expect(findUserByName(site.read, 'Ali')).toMatchObject({
      id: member.userId,
      username: 'ALİ',
      isGuest: 0,
      gender: null,
    })
    expect(getAuthenticatedSession(site.read, expired)).toBeUndefined()
    expect(register('ali')).toBe('UsernameTaken')
  })

  it('[ACC-32] makes a guest a member under another guest’s expired name', () => {
    const expired = openGuestSession('Ali')
    site.clock.now += GUEST_NAME_HOLD_MS
    const veli = openGuestSession('Veli')
    const claims = register('Ali', veli) as Claims
    expect(claims.userId).toBe(veli.userId)
    expect(getAuthenticatedSession(site.read, veli)).toBeUndefined()
    expect(getAuthenticatedSession(site.read, claims)?.user).toMatchObject({
      username: 'Ali',
      role: 'member',
      gender: 'male',
    })
    expect(getAuthenticatedSession(site.read, expired)).toBeUndefined()
    // The guest's former name is free.
    expect(openGuestSession('Veli')).toEqual({ userId: expect.any(Number), sessionId: expect.any(Number) })
  })

  it('[ACC-32] leaves no guest row for the sweep', () => {
    const ali = openGuestSession('Ali')
    const claims = register('Ali', ali) as Claims
    site.clock.now += GUEST_RETENTION_MS + 1
    expect(site.run({ command: 'sweepAccounts' }).answer).toEqual({ removed: 0 })
    expect(site.read.get(userById, { id: ali.userId })?.nameReleasedAt).toBeNull()
    expect(getAuthenticatedSession(site.read, claims)).toBeDefined()
  })

  it('[ACC-03] lets a guest who holds a reserved name already enter again and register with it', () => {
    const guest = openGuestSession('papatya')
    site.db.prepare("update user set username = 'muradmina', foldedName = 'muradmina' where id = ?").run(guest.userId)
    const enter = (username: string, actor: Claims | null) =>
      site.run({ command: 'openGuestSession', actor, input: { ...signInContext, username, gender: null } })
    expect(enter('muradmina', guest).answer).toMatchObject({ userId: guest.userId })
    for (const [name, actor] of [
      ['muradmina', null],
      ['muradminb', guest],
    ] as const) {
      expect(enter(name, actor).refusal).toMatchObject({ code: 'UsernameReserved' })
      expect(register(name, actor)).toBe('UsernameReserved')
    }
    expect(register('muradmina', guest)).toMatchObject({ userId: guest.userId })
  })

  it('[ACC-33] [ACC-34] refuses the second of two sign-ups for a name, a member, and an ended session', () => {
    const [ali, veli] = [openGuestSession('Ali'), openGuestSession('Veli')]
    const gonca = register('Gonca', ali) as Claims
    expect(gonca.userId).toBe(ali.userId)
    expect(register('gonca', veli)).toBe('UsernameTaken')
    expect(register('Papatya', ali)).toBe('SessionEnded')
    expect(register('Papatya', gonca)).toBe('AlreadyMember')
    site.run({ command: 'endSession', actor: veli })
    expect(register('Papatya', veli)).toBe('SessionEnded')
    expect(register('Admin')).toBe('UsernameReserved')
    expect(findUserByName(site.read, 'Papatya')).toBeUndefined()
  })
})
