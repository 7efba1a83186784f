import { query } from '../../database/query.ts'
import type { Reader } from '../../database/read.ts'
import type { Claims } from '../../database/transact.ts'

/** Whoever is let in and does not hear of it, because the line was cut just then, tries again within this. */
export const SIGN_IN_RETRY_MS = 2 * 60_000

const recentSessionOfBrowser = query<{ userId: number; browserId: string; since: number }>()((db, p) =>
  db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', p('userId'))
    .where('browserId', '=', p('browserId'))
    .where('createdAt', '>=', p('since')),
)

/** The session that this browser was given as that person a moment ago; its id is known to the browser alone. */
export function findUnacknowledgedSession(
  reader: Pick<Reader, 'get'>,
  userId: number,
  browserId: string | null,
  now: number,
): Claims | null {
  if (browserId === null) return null
  const session = reader.get(recentSessionOfBrowser, { userId, browserId, since: now - SIGN_IN_RETRY_MS })
  return session ? { userId, sessionId: session.id } : null
}
