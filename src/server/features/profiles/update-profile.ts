import { sessionEndMessages } from '../../../shared/accounts/protocol.ts'
import { MAX_BIO_LENGTH, MAX_CITY_LENGTH } from '../../../shared/profiles/rules.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { PrivacyChanges } from '../../../shared/settings/rules.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Claims, Transaction } from '../../kernel/database/transaction.ts'
import { sessionById, type UserRow, userById } from '../../model/accounts/queries.ts'
import { emitProfileUpdated } from '../../model/accounts/transactions.ts'
import { updateRow } from '../../model/schema/query.ts'
import { closeOtherSessions, replaceSession } from '../../model/sessions/transactions.ts'
import { setPrivacy } from '../../model/settings/transactions.ts'
import { screenText } from '../../model/text-screening/transactions.ts'

/** The columns that others see. */
type ProfileColumns = Pick<UserRow, 'bio' | 'city' | 'age' | 'avatarUrl' | 'largeAvatarUrl'>

export interface UpdateProfile {
  /** An absent column stays; null clears it. */
  columns: Partial<ProfileColumns>
  /** `verifiedHash` is the hash that the current password matched; refused if the stored hash has changed since. */
  password?: { verifiedHash: string; newHash: string }
  privacy?: PrivacyChanges
}

const setProfileColumns = updateRow('user', ['id'], ['bio', 'city', 'age', 'avatarUrl', 'largeAvatarUrl'])
const setPasswordHash = updateRow('user', ['id'], ['passwordHash', 'passwordChangedAt'])

/** Changes a member's profile, password and privacy. Refuses with SessionEnded, Forbidden for a guest, or WrongPassword. */
export const updateProfile = defineCommand({
  name: 'updateProfile',
  awaitsReplicaAck: true, // it replaces the session's id: a primary that loses it would accept the old tokens again
  run(
    tx: Transaction,
    actor: Actor | null,
    { columns, password, privacy }: UpdateProfile,
  ): { success: true; claims?: Claims } | Refusal {
    const user = actor && tx.get(userById, { id: actor.userId })
    if (!actor || !user) return refuse('SessionEnded')
    if (user.isGuest === 1) return refuse('Forbidden')
    const texts = submitTexts(tx, user, columns)
    if (texts instanceof Refusal) return texts
    const claims = password && changePassword(tx, actor, user, password)
    if (claims === null) return refuse('WrongPassword')
    const success = { success: true as const, ...(claims && { claims }) }
    if (privacy) setPrivacy(tx, actor.userId, privacy)
    const { id, bio, city, age, avatarUrl, largeAvatarUrl } = user
    const before: ProfileColumns = { bio, city, age, avatarUrl, largeAvatarUrl }
    const after = { ...before, ...columns, ...texts }
    const isSame = (Object.keys(before) as (keyof ProfileColumns)[]).every((key) => before[key] === after[key]) // `before` has exactly these keys
    if (isSame) return success
    tx.run(setProfileColumns, { id, ...after })
    emitProfileUpdated(tx, id)
    return success
  },
})

/** The changed texts of a profile, as they are to be stored. */
function submitTexts(
  tx: Transaction,
  sender: UserRow,
  { bio, city }: UpdateProfile['columns'],
): Pick<UpdateProfile['columns'], 'bio' | 'city'> | Refusal {
  const limits = { bio: MAX_BIO_LENGTH, city: MAX_CITY_LENGTH }
  const texts: { bio?: string; city?: string } = {}
  for (const [name, typed] of [
    ['bio', bio],
    ['city', city],
  ] as const) {
    if (!typed || typed === sender[name]) continue
    const text = screenText(tx, { sender, place: { kind: 'profile' }, text: typed, maxLength: limits[name] })
    if (text instanceof Refusal) return text
    texts[name] = text
  }
  return texts
}

/**
 * Ends the member's other sessions, which have to log in with the new password, and replaces this one; returns its claims.
 * null when `verifiedHash` is outdated.
 */
function changePassword(
  tx: Transaction,
  { sessionId }: Actor,
  { id, passwordHash }: UserRow,
  { verifiedHash, newHash }: { verifiedHash: string; newHash: string },
): Claims | null {
  const session = tx.get(sessionById, { id: sessionId })
  if (!session || passwordHash !== verifiedHash) return null
  tx.run(setPasswordHash, { id, passwordHash: newHash, passwordChangedAt: tx.now })
  closeOtherSessions(tx, id, sessionId, sessionEndMessages.passwordChanged)
  return replaceSession(tx, session, { isRenewable: false })
}
