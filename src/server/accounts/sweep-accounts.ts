import { farewells } from '../../shared/accounts/protocol.ts'
import { GUEST_KEPT_MS, SESSION_KEPT_MS } from '../../shared/accounts/rules.ts'
import { query } from '../database/query.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { forgetDoors } from '../moderation/note-door.ts'
import { closeSession, releaseGuest } from './sessions.ts'

/** A step is small, so that nobody waits for it. */
const STEP = 200

const unusedSessions = query<{ before: number; limit: number }>()((db, p) =>
  db.selectFrom('session').select(['id', 'userId']).where('lastSeenAt', '<', p('before')).limit(p('limit')),
)
const goneGuests = query<{ before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('user')
    .select('id')
    .where('isGuest', '=', 1)
    .where('nameReleasedAt', 'is', null)
    .where('lastSeenAt', '<', p('before'))
    .limit(p('limit')),
)

/** One small step: ends sessions that nobody used for long, lets the names of guests go who will not come back, and where they came from. */
export function sweepAccounts(tx: Transaction, _actor: Actor | null, _input: object): { removed: number } {
  const sessions = tx.all(unusedSessions, { before: tx.now - SESSION_KEPT_MS, limit: STEP })
  for (const session of sessions) closeSession(tx, session, farewells.loggedOut)
  const guests = tx.all(goneGuests, { before: tx.now - GUEST_KEPT_MS, limit: STEP })
  for (const guest of guests) releaseGuest(tx, guest.id)
  const doors = forgetDoors(tx, tx.now - GUEST_KEPT_MS)
  return { removed: sessions.length + guests.length + doors }
}
