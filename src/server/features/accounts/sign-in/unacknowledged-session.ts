import type { UserId } from '../../../../shared/protocol/ids.ts'
import type { Reader } from '../../../kernel/database/read.ts'
import type { Claims } from '../../../kernel/database/transaction.ts'
import { sessionById, sessionsOfUser } from '../../../model/accounts/queries.ts'
import { query } from '../../../model/schema/query.ts'

/** A client that lost the answer to its sign-in retries within this time. */
export const SIGN_IN_RETRY_MS = 2 * 60_000

const recentSessionOfBrowser = query<{ userId: UserId; browserHash: string; since: number }>()((db, p) =>
  db
    .selectFrom('session')
    .select(['id', 'key'])
    .where('userId', '=', p('userId'))
    .where('browserHash', '=', p('browserHash'))
    .where('createdAt', '>=', p('since')),
)

/**
 * The session opened for this user and browser within `SIGN_IN_RETRY_MS`, or null. It needs no further proof, because only
 * that browser knows its `browserId`.
 */
export function findUnacknowledgedSession(
  reader: Pick<Reader, 'get'>,
  userId: UserId,
  browserHash: string | null,
  now: number,
): Claims | null {
  if (browserHash === null) return null
  const session = reader.get(recentSessionOfBrowser, { userId, browserHash, since: now - SIGN_IN_RETRY_MS })
  return session ? { userId, sessionId: session.id, key: session.key } : null
}

/** The session of this user that was seen last. */
export function findNewestSession(reader: Pick<Reader, 'get' | 'all'>, userId: UserId): Claims | null {
  const [newest] = reader.all(sessionsOfUser, { userId })
  const session = newest && reader.get(sessionById, newest)
  return session ? { userId, sessionId: session.id, key: session.key } : null
}
