import type { Gender } from '../../../../shared/accounts/protocol.ts'
import { isReservedName } from '../../../../shared/accounts/reserved-names.ts'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { foldName } from '../../../../shared/text/turkish.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import type { Actor, Claims, Transaction } from '../../../kernel/database/transaction.ts'
import {
  type AuthenticatedSession,
  getAuthenticatedSession,
  isNameFree,
  type UserRow,
  userByFoldedName,
} from '../../../model/accounts/queries.ts'
import { emitProfileUpdated } from '../../../model/accounts/transactions.ts'
import type { Fingerprint } from '../../../model/fingerprints/queries.ts'
import { recordFingerprint } from '../../../model/fingerprints/transactions.ts'
import { submitName, takeName } from '../../../model/name-skeletons/transactions.ts'
import { findFingerprintBan } from '../../../model/restrictions/queries.ts'
import { query } from '../../../model/schema/query.ts'
import {
  openSession,
  recordSignIn,
  releaseGuestName,
  replaceSession,
  type SignInContext,
} from '../../../model/sessions/transactions.ts'

export interface RegisterMember extends SignInContext {
  username: string
  /** Computed by the caller, because hashing would block the writer. */
  passwordHash: string
  /** In years. */
  age: number
  gender: Gender | null
  /** The version of the accepted terms. */
  termsVersion: string
  fingerprint: Fingerprint
}

type MemberRow = Pick<RegisterMember, 'username' | 'passwordHash' | 'age' | 'gender' | 'termsVersion' | 'platform'> & {
  foldedName: string
  now: number
}

const insertMember = query<{ [K in keyof MemberRow]: MemberRow[K] }>()((db, p) =>
  db.insertInto('user').values({
    username: p('username'),
    foldedName: p('foldedName'),
    isGuest: 0,
    role: 'member',
    gender: p('gender'),
    avatarUrl: null,
    passwordHash: p('passwordHash'),
    lastLoginPlatform: p('platform'),
    premiumUntil: null,
    createdAt: p('now'),
    lastSeenAt: p('now'),
    nameReleasedAt: null,
    age: p('age'),
    termsAcceptedAt: p('now'),
    termsVersion: p('termsVersion'),
  }),
)
const upgradeToMember = query<{ [K in keyof MemberRow]: MemberRow[K] } & { id: UserId }>()((db, p) =>
  db
    .updateTable('user')
    .set((eb) => ({
      username: p('username'),
      foldedName: p('foldedName'),
      isGuest: 0,
      role: 'member',
      // Without a gender in the input, the guest's gender stays.
      gender: eb.fn.coalesce(eb.val(p('gender')), 'gender'),
      passwordHash: p('passwordHash'),
      age: p('age'),
      termsAcceptedAt: p('now'),
      termsVersion: p('termsVersion'),
    }))
    .where('id', '=', p('id')),
)

/**
 * Creates a member under a free name. With a guest's session as `actor`, the guest's account becomes the member's: its id,
 * messages, room and connections stay. Refuses with UsernameReserved, UsernameTaken, AlreadyMember, SessionEnded or Banned.
 */
export const registerMember = defineCommand({
  name: 'registerMember',
  awaitsReplicaAck: true, // it replaces the session's id: a primary that loses it would accept the old tokens again
  run(tx: Transaction, actor: Actor | null, input: RegisterMember): Claims | Refusal {
    const own = actor && getAuthenticatedSession(tx, actor)
    if (actor && !own) return refuse('SessionEnded')
    if (own?.user.isGuest === 0) return refuse('AlreadyMember')
    if (own?.user.username !== input.username && isReservedName(input.username)) return refuse('UsernameReserved')
    const enteredAt = own?.session.createdAt ?? tx.now
    const banRefusal = findFingerprintBan(tx, { role: 'guest', fingerprint: input.fingerprint, enteredAt }, tx.now)
    if (banRefusal) return banRefusal

    const row = toMemberRow(input, tx.now)
    const holder = tx.get(userByFoldedName, { foldedName: row.foldedName })
    if (holder && holder.id !== own?.user.id) {
      if (!isNameFree(holder, false, tx.now)) return refuse('UsernameTaken')
      releaseGuestName(tx, holder.id)
    }
    const claims = own ? upgradeGuest(tx, own, row) : insertNewMember(tx, row, input)
    const refusal = findNameRefusal(tx, claims.userId, row, own?.user)
    if (refusal) return refusal
    recordFingerprint(tx, claims.userId, input.fingerprint, enteredAt)
    return claims
  },
})

/** A guest keeps the own name unchecked. In another letter case it may look like another name, so it is checked. */
function findNameRefusal(
  tx: Transaction,
  id: UserId,
  { username, foldedName }: MemberRow,
  guest: UserRow | undefined,
): Refusal | null {
  if (guest?.username === username) return null
  return guest?.foldedName === foldedName ? takeName(tx, id, username) : submitName(tx, id)
}

function insertNewMember(tx: Transaction, row: MemberRow, signIn: SignInContext): Claims {
  const { lastId: userId } = tx.run(insertMember, row)
  return { userId, sessionId: openSession(tx, userId, signIn) }
}

function toMemberRow(
  { username, passwordHash, age, gender, termsVersion, platform }: RegisterMember,
  now: number,
): MemberRow {
  return { username, foldedName: foldName(username), passwordHash, age, gender, termsVersion, platform, now }
}

function upgradeGuest(tx: Transaction, { user, session }: AuthenticatedSession, row: MemberRow): Claims {
  tx.run(upgradeToMember, { ...row, id: user.id })
  recordSignIn(tx, user.id, row.platform)
  // First: the own page becomes a member's when it has the new token.
  const claims = replaceSession(tx, session, { isRenewable: false })
  emitProfileUpdated(tx, user.id)
  return claims
}
