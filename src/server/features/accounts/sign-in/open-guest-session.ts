import type { Gender } from '../../../../shared/accounts/protocol.ts'
import { isReservedName } from '../../../../shared/accounts/reserved-names.ts'
import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { foldName } from '../../../../shared/text/turkish.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import type { Actor, Claims, Transaction } from '../../../kernel/database/transaction.ts'
import { getAuthenticatedSession, isNameFree, userByFoldedName } from '../../../model/accounts/queries.ts'
import { emitProfileUpdated } from '../../../model/accounts/transactions.ts'
import { recordFingerprint } from '../../../model/fingerprints/transactions.ts'
import { submitName } from '../../../model/name-skeletons/transactions.ts'
import { findFingerprintBan } from '../../../model/restrictions/queries.ts'
import { insertRow, updateRow } from '../../../model/schema/query.ts'
import {
  openSession,
  recordSignIn,
  releaseGuestName,
  type SignInContext,
} from '../../../model/sessions/transactions.ts'
import { findUnacknowledgedSession } from './unacknowledged-session.ts'

export interface OpenGuestSession extends SignInContext {
  username: string
  gender: Gender | null
}

/** For a caller that passes no fingerprint. */
const UNKNOWN_FINGERPRINT = { browserHash: null, addressHash: null }

const insertGuest = insertRow(
  'user',
  ['username', 'foldedName', 'gender', 'lastLoginPlatform', 'createdAt', 'lastSeenAt'],
  { isGuest: 1, role: 'guest', avatarUrl: null, passwordHash: null, premiumUntil: null, nameReleasedAt: null },
)
const setGender = updateRow('user', ['id'], ['gender'])

/**
 * Signs a guest in under a free name. `actor` is the actor of the browser's session, if it has one: a guest who asks for
 * their own name keeps that session. Refuses with UsernameReserved, UsernameTaken or Banned.
 */
export const openGuestSession = defineCommand({
  name: 'openGuestSession',
  run(tx: Transaction, actor: Actor | null, input: OpenGuestSession): Claims | Refusal {
    const { username, gender, platform, fingerprint = UNKNOWN_FINGERPRINT } = input
    const foldedName = foldName(username)
    const own = actor && getAuthenticatedSession(tx, actor)
    const enteredAt = own?.session.createdAt ?? tx.now
    const banRefusal = findFingerprintBan(tx, { role: 'guest', fingerprint, enteredAt }, tx.now)
    if (banRefusal) return banRefusal
    if (own?.user.isGuest === 1 && own.user.foldedName === foldedName) {
      recordSignIn(tx, own.user.id, platform)
      recordFingerprint(tx, own.user.id, fingerprint, enteredAt)
      if (gender && gender !== own.user.gender) {
        tx.run(setGender, { id: own.user.id, gender })
        emitProfileUpdated(tx, own.user.id)
      }
      return { userId: own.user.id, sessionId: own.session.id }
    }

    if (isReservedName(username)) return refuse('UsernameReserved')
    const holder = tx.get(userByFoldedName, { foldedName })
    const unacknowledged =
      holder?.isGuest === 1 ? findUnacknowledgedSession(tx, holder.id, fingerprint.browserHash, tx.now) : null
    if (unacknowledged) return unacknowledged
    if (holder && !isNameFree(holder, false, tx.now)) return refuse('UsernameTaken')
    if (holder) releaseGuestName(tx, holder.id)
    const { lastId: userId } = tx.run(insertGuest, {
      username,
      foldedName,
      gender,
      lastLoginPlatform: platform,
      createdAt: tx.now,
      lastSeenAt: tx.now,
    })
    const refusal = submitName(tx, userId)
    if (refusal) return refusal
    recordFingerprint(tx, userId, fingerprint, tx.now)
    return { userId, sessionId: openSession(tx, userId, input) }
  },
})
