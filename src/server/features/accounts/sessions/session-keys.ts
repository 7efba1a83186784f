import { sessionEndMessages } from '../../../../shared/accounts/protocol.ts'
import type { SessionId } from '../../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { HTTP_TIMEOUT_MS } from '../../../../shared/room-chat/limits.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import type { Actor, Claims, Transaction } from '../../../kernel/database/transaction.ts'
import { findRenewableSession, type SessionRow } from '../../../model/accounts/queries.ts'
import { query, updateRow } from '../../../model/schema/query.ts'
import { closeSession } from '../../../model/sessions/transactions.ts'

/**
 * For this long after the first use of a new key, the previous key can be renewed: the refresh of another tab may be under way,
 * or about to be repeated after its answer was lost.
 */
export const KEY_GRACE_MS = 2 * HTTP_TIMEOUT_MS

const setKey = updateRow('session', ['id'], ['key'], { keyUsedAt: null })
const setKeyUsedAt = query<{ id: SessionId; key: number; now: number }>()((db, p) =>
  db
    .updateTable('session')
    .set({ keyUsedAt: p('now') })
    .where('id', '=', p('id'))
    .where('key', '=', p('key'))
    .where('keyUsedAt', 'is', null),
)

export type KeyState = 'current' | 'previous' | 'reused'

/**
 * How a token's key relates to the key of its session. `previous` is accepted until its successor has been used, because
 * the answer with the successor may have been lost. `reused` means that two clients have the session's tokens.
 */
export function keyStateOf(
  { key, keyUsedAt }: Pick<SessionRow, 'key' | 'keyUsedAt'>,
  presentedKey: number,
  now: number,
): KeyState {
  if (presentedKey >= key) return 'current' // a larger one was written by a primary whose last commits were lost
  const isPreviousAccepted = keyUsedAt === null || now - keyUsedAt < KEY_GRACE_MS
  return presentedKey === key - 1 && isPreviousAccepted ? 'previous' : 'reused'
}

/** The first use of a token with the session's present key: from now on the previous key is an old one. */
export const recordKeyUse = defineCommand({
  name: 'recordKeyUse',
  keepResult: 'never',
  run(tx: Transaction, actor: Actor | null, { key }: { key: number }): { recorded: true } {
    if (actor) tx.run(setKeyUsedAt, { id: actor.sessionId, key, now: tx.now })
    return { recorded: true }
  },
})

/**
 * Renews a session's key. `presented` are the claims of the request's token and cookie; the first usable one counts. Tabs that
 * ask at once get the same key. An old key ends the session: its owner or somebody else has a copy of its tokens.
 */
export const renewKey = defineCommand({
  name: 'renewKey',
  keepResult: 'never',
  run(tx: Transaction, _actor: Actor | null, { presented }: { presented: Claims[] }): RenewedKey | Refusal {
    const found = presented.flatMap((claims) => {
      const session = findRenewableSession(tx, claims)
      return session ? [{ session, key: claims.key ?? 0, state: keyStateOf(session, claims.key ?? 0, tx.now) }] : []
    })
    const usable = found.find(({ state }) => state !== 'reused')
    if (usable) return { claims: renew(tx, usable) }
    const [reused] = found
    if (!reused) return refuse('SessionEnded')
    closeSession(tx, reused.session, sessionEndMessages.tokenCopied)
    return { claims: null }
  },
})

/** `claims` are null when the session was ended because of an old key. */
export interface RenewedKey {
  claims: Claims | null
}

function renew(
  tx: Transaction,
  { session, key, state }: { session: SessionRow; key: number; state: KeyState },
): Claims {
  const { id, userId, keyUsedAt } = session
  if (state === 'previous') return { userId, sessionId: id, key: session.key }
  // A key that has just come into use stays, so that no tab is two keys behind.
  const isNew = key === session.key && (keyUsedAt === null || tx.now - keyUsedAt < KEY_GRACE_MS)
  if (isNew) tx.run(setKeyUsedAt, { id, key, now: tx.now })
  else tx.run(setKey, { id, key: key + 1 })
  return { userId, sessionId: id, key: isNew ? key : key + 1 }
}
