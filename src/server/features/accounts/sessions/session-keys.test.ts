import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sessionEndMessages } from '../../../../shared/accounts/protocol.ts'
import { HTTP_TIMEOUT_MS } from '../../../../shared/room-chat/limits.ts'
import type { Claims } from '../../../kernel/database/transaction.ts'
import { sessionById } from '../../../model/accounts/queries.ts'
import { openTestDatabase, type TestDatabase } from '../../../testing/fixtures/test-database.ts'
import { KEY_GRACE_MS } from './session-keys.ts'

const HOUR_MS = 60 * 60_000

let site: TestDatabase
let owner: Claims
beforeEach(async () => {
  site = await openTestDatabase()
  const id = site.addMember('Sahip')
  owner = { userId: id, sessionId: id }
})
afterEach(() => site.close())

/** The key that a refresh brings, or the code of its refusal, or `ended`. */
function renew(...keys: number[]): number | string {
  return renewClaims(keys.map((key) => ({ ...owner, key })))
}

function renewClaims(presented: Claims[]): number | string {
  const { answer, refusal } = site.run({ command: 'renewKey', input: { presented } })
  if (refusal) return refusal.code
  return (answer as { claims: Claims | null }).claims?.key ?? 'ended'
}

const use = (key: number) => site.run({ command: 'recordKeyUse', actor: owner, input: { key } })
const session = (id = owner.sessionId) => site.read.get(sessionById, { id })
const wait = (ms: number) => {
  site.clock.now += ms
}

describe('the key of a session', () => {
  it('[ACC-72] is new after each refresh', () => {
    expect(renew(0)).toBe(1)
    use(1)
    wait(HOUR_MS)
    expect(renew(1)).toBe(2)
  })

  it('[ACC-72] is the same for tabs that refresh at once, before and shortly after its first use', () => {
    expect([renew(0), renew(0)]).toEqual([1, 1])
    use(1)
    wait(KEY_GRACE_MS - 1)
    expect([renew(0), renew(1)]).toEqual([1, 1])
  })

  it('[ACC-72] is the same for a tab whose refresh timed out once and is repeated', () => {
    renew(0)
    use(1)
    wait(2 * HTTP_TIMEOUT_MS - 1)
    expect(renew(0)).toBe(1)
  })

  it('[ACC-72] comes again when its answer was lost, however late', () => {
    expect(renew(0)).toBe(1)
    wait(20 * HOUR_MS)
    expect(renew(0)).toBe(1)
    expect(session()).toMatchObject({ key: 1, keyUsedAt: null })
  })

  it('[ACC-72] is accepted when a lost primary has given it', () => {
    expect(renew(7)).toBe(8)
  })

  it('[ACC-72] is not new before somebody has used the one before for a while', () => {
    renew(0)
    expect(renew(1)).toBe(1)
    wait(KEY_GRACE_MS)
    expect(renew(1)).toBe(2)
  })
})

describe('an old key in a refresh', () => {
  it('[ACC-73] ends its session and tells its connections why', () => {
    const other = site.addMember('Başka')
    renew(0)
    use(1)
    wait(KEY_GRACE_MS)
    expect(renew(0)).toBe('ended')
    expect([session(), session(other) === undefined]).toEqual([undefined, false])
    expect(renew(1)).toBe('SessionEnded')
    const ends = site.db.prepare("select audience, payload from event where name = 'forceDisconnect'").all()
    expect(ends).toMatchObject([{ audience: `session:${owner.sessionId}` }])
    expect(String((ends[0] as { payload: Buffer }).payload)).toContain(sessionEndMessages.tokenCopied)
  })

  it('[ACC-73] does so when it is two keys behind, whether or not the present one was used', () => {
    renew(0)
    use(1)
    wait(KEY_GRACE_MS)
    renew(1)
    expect(renew(0)).toBe('ended')
  })

  it('[ACC-73] ends nothing beside a cookie with the present key', () => {
    renew(0)
    use(1)
    wait(KEY_GRACE_MS)
    expect(renew(0, 1)).toBe(2)
  })

  it('[ACC-73] leaves the user’s other sessions and everybody else alone', () => {
    site.db
      .prepare('insert into session (id, userId, platform, createdAt, lastSeenAt) values (999, ?, ?, 1, 1)')
      .run(owner.userId, 'web')
    renew(0)
    use(1)
    wait(KEY_GRACE_MS)
    renew(0)
    expect(session(999)?.userId).toBe(owner.userId)
    expect(renewClaims([{ userId: owner.userId + 1, sessionId: 999, key: 0 }])).toBe('SessionEnded')
    expect(session(999)?.key).toBe(0)
  })
})
