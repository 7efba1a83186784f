import { sql } from 'kysely'
import { query } from '../database/query.ts'
import type { Actor, Transaction } from '../database/transact.ts'

const touchAll = query<{ ids: string; now: number }>()((db, p) =>
  db
    .updateTable('user')
    .set({ lastSeenAt: p('now') })
    .where('id', 'in', sql<number>`(select value from json_each(${p('ids')}))`),
)

/** Notes that these people are here, so that a guest's name is held while the guest is. */
export function touchUsers(
  tx: Transaction,
  _actor: Actor | null,
  { userIds }: { userIds: number[] },
): { touched: number } {
  return { touched: tx.run(touchAll, { ids: JSON.stringify(userIds), now: tx.now }).changes }
}
