import { sessionEndMessages } from '../../../../shared/accounts/protocol.ts'
import { GUEST_RETENTION_MS, SESSION_LIFETIME_MS } from '../../../../shared/accounts/rules.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../../kernel/database/transaction.ts'
import { query } from '../../../model/schema/query.ts'
import { closeSession, releaseGuestName } from '../../../model/sessions/transactions.ts'

/** Keeps each step short, so that other commands do not wait behind it. */
const BATCH_SIZE = 200

const expiredSessions = query<{ before: number; limit: number }>()((db, p) =>
  db.selectFrom('session').select(['id', 'userId']).where('lastSeenAt', '<', p('before')).limit(p('limit')),
)
const expiredGuests = query<{ before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('user')
    .select('id')
    .where('isGuest', '=', 1)
    .where('nameReleasedAt', 'is', null)
    .where('lastSeenAt', '<', p('before'))
    .limit(p('limit')),
)

/** One step of the sweep: ends expired sessions and releases names of expired guests. */
export const sweepAccounts = defineCommand({
  name: 'sweepAccounts',
  origin: 'primary',
  run(tx: Transaction): { removed: number } {
    const sessions = tx.all(expiredSessions, { before: tx.now - SESSION_LIFETIME_MS, limit: BATCH_SIZE })
    for (const session of sessions) closeSession(tx, session, sessionEndMessages.loggedOut)
    const guests = tx.all(expiredGuests, { before: tx.now - GUEST_RETENTION_MS, limit: BATCH_SIZE })
    for (const guest of guests) releaseGuestName(tx, guest.id)
    return { removed: sessions.length + guests.length }
  },
})
