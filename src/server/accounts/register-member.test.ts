import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GUEST_KEPT_MS, GUEST_NAME_HELD_MS } from '../../shared/accounts/rules.ts'
import type { Claims } from '../database/transact.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database.ts'
import { getHolder, getSignedIn, userById } from './queries.ts'

let site: TestDatabase
beforeEach(async () => {
  site = await openTestDatabase()
})
afterEach(() => site.close())

const doorway = { browserId: null, platform: 'web', marks: { browser: null, address: null } }
const input = (username: string) => ({
  ...doorway,
  username,
  passwordHash: 'hash',
  age: 30,
  gender: null,
  termsVersion: '1',
})

function enter(username: string): Claims {
  return site.run({ command: 'openGuestSession', input: { ...doorway, username, gender: 'male' } }).answer as Claims // what it answers
}

function register(username: string, actor: Claims | null = null) {
  const done = site.run({ command: 'registerMember', actor, input: input(username) })
  return done.refusal?.code ?? (done.answer as Claims)
}

describe('registerMember', () => {
  it('[ACC-33] takes a name of a guest who is gone, and ends what was left of the guest', () => {
    const gone = enter('Ali')
    expect(register('ali')).toBe('UsernameTaken')
    site.clock.now += GUEST_NAME_HELD_MS
    const made = register('ALİ') as Claims
    expect(getHolder(site.read, 'Ali')).toMatchObject({ id: made.userId, username: 'ALİ', isGuest: 0, gender: null })
    expect(getSignedIn(site.read, gone)).toBeUndefined()
    expect(register('ali')).toBe('UsernameTaken')
  })

  it('[ACC-32] makes a guest a member under a name that another guest has let go', () => {
    const gone = enter('Ali')
    site.clock.now += GUEST_NAME_HELD_MS
    const veli = enter('Veli')
    expect(register('Ali', veli)).toEqual(veli)
    expect(getSignedIn(site.read, veli)?.user).toMatchObject({ username: 'Ali', role: 'member', gender: 'male' })
    expect(getSignedIn(site.read, gone)).toBeUndefined()
    // The name that was left is free.
    expect(enter('Veli')).toEqual({ userId: expect.any(Number), sessionId: expect.any(Number) })
  })

  it('[ACC-32] leaves no guest behind whose name would be swept', () => {
    const ali = enter('Ali')
    register('Ali', ali)
    site.clock.now += GUEST_KEPT_MS + 1
    expect(site.run({ command: 'sweepAccounts' }).answer).toEqual({ removed: 0 })
    expect(site.read.get(userById, { id: ali.userId })?.nameReleasedAt).toBeNull()
    expect(getSignedIn(site.read, ali)).toBeDefined()
  })

  it('[ACC-33] [ACC-34] asks the rows: of two who hurry the second is refused, and so is who is no guest any more', () => {
    const [ali, veli] = [enter('Ali'), enter('Veli')]
    expect(register('Gonca', ali)).toEqual(ali)
    expect(register('gonca', veli)).toBe('UsernameTaken')
    expect(register('Papatya', ali)).toBe('AlreadyMember')
    site.run({ command: 'endSession', actor: veli })
    expect(register('Papatya', veli)).toBe('SessionEnded')
    expect(register('Admin')).toBe('UsernameReserved')
    expect(getHolder(site.read, 'Papatya')).toBeUndefined()
  })
})
