import type { SessionId } from '../../../shared/protocol/ids.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { query } from '../schema/query.ts'

const setGrantSession = query<{ oldId: SessionId; newId: SessionId }>()((db, p) =>
  db
    .updateTable('roomGrant')
    .set({ sessionId: p('newId') })
    .where('sessionId', '=', p('oldId')),
)

/** The rooms that a session has opened with their passwords are open to the session that replaces it. */
export function moveGrants(tx: Transaction, sessions: { oldId: SessionId; newId: SessionId }): void {
  tx.run(setGrantSession, sessions)
}
