import { sql } from 'kysely'
import type { SessionId, UserId } from '../../../../shared/protocol/ids.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { query } from '../../../model/schema/query.ts'

const updateUsersLastSeen = query<{ ids: string; now: number }>()((db, p) =>
  db
    .updateTable('user')
    .set({ lastSeenAt: p('now') })
    .where('id', 'in', sql<number>`(select value from json_each(${p('ids')}))`),
)

const updateSessionsLastSeen = query<{ ids: string; before: number; now: number }>()((db, p) =>
  db
    .updateTable('session')
    .set({ lastSeenAt: p('now') })
    .where('id', 'in', sql<number>`(select value from json_each(${p('ids')}))`)
    .where('lastSeenAt', '<', p('before')),
)
/** Minimum age of a session's `lastSeenAt` before it is written again: no multiple of the minute between two calls. */
const SESSION_TOUCH_INTERVAL_MS = 4.5 * 60_000

/** Writes `lastSeenAt` of online users and their sessions: a guest keeps the name while online, a session does not expire. */
export const touchUsers = defineCommand({
  name: 'touchUsers',
  keepResult: 'never',
  run(
    tx: Transaction,
    _actor: Actor | null,
    { userIds, sessionIds = [] }: { userIds: UserId[]; sessionIds?: SessionId[] },
  ): { touched: number } {
    tx.run(updateSessionsLastSeen, {
      ids: JSON.stringify(sessionIds),
      before: tx.now - SESSION_TOUCH_INTERVAL_MS,
      now: tx.now,
    })
    return { touched: tx.run(updateUsersLastSeen, { ids: JSON.stringify(userIds), now: tx.now }).changes }
  },
})
