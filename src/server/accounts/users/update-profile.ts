import { sessionEndMessages } from '../../../shared/accounts/protocol.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { PrivacyChanges } from '../../../shared/settings/rules.ts'
import { defineWrite } from '../../database/define-write.ts'
import { query } from '../../database/query.ts'
import type { Actor, Transaction } from '../../database/transact.ts'
import { setPrivacy } from '../../settings/set-privacy.ts'
import { type UserRow, userById } from '../queries.ts'
import { closeOtherSessions } from '../sessions/sessions.ts'
import { emitProfileUpdated } from './emit-profile-updated.ts'

/** The columns that others see. */
type ProfileColumns = Pick<UserRow, 'bio' | 'city' | 'age' | 'avatarUrl' | 'largeAvatarUrl'>

export interface UpdateProfile {
  /** What is left out stays as it is; null empties it. */
  columns: Partial<ProfileColumns>
  /** `verifiedHash` is the hash that the current password was right for: if it was changed meanwhile, that no longer counts. */
  password?: { verifiedHash: string; newHash: string }
  privacy?: PrivacyChanges
}

const setProfileColumns = query<ProfileColumns & { id: number }>()((db, p) =>
  db
    .updateTable('user')
    .set({
      bio: p('bio'),
      city: p('city'),
      age: p('age'),
      avatarUrl: p('avatarUrl'),
      largeAvatarUrl: p('largeAvatarUrl'),
    })
    .where('id', '=', p('id')),
)
const setPasswordHash = query<{ id: number; passwordHash: string; now: number }>()((db, p) =>
  db
    .updateTable('user')
    .set({ passwordHash: p('passwordHash'), passwordChangedAt: p('now') })
    .where('id', '=', p('id')),
)

/** A member is shown in another way, has another password or lets others come near in another way, from now on. */
export const updateProfile = defineWrite({
  name: 'updateProfile',
  origin: 'anyRegion',
  keepResult: 'week',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(
    tx: Transaction,
    actor: Actor | null,
    { columns, password, privacy }: UpdateProfile,
  ): { success: true } | Refusal {
    const user = actor && tx.get(userById, { id: actor.userId })
    if (!actor || !user) return refuse('SessionEnded')
    if (user.isGuest === 1) return refuse('Forbidden')
    if (password && !changePassword(tx, actor, user, password)) return refuse('WrongPassword')
    if (privacy) setPrivacy(tx, actor.userId, privacy)
    const { id, bio, city, age, avatarUrl, largeAvatarUrl } = user
    const before: ProfileColumns = { bio, city, age, avatarUrl, largeAvatarUrl }
    const now = { ...before, ...columns }
    const isSame = (Object.keys(before) as (keyof ProfileColumns)[]).every((key) => before[key] === now[key]) // the keys of one are a Shown's
    if (isSame) return { success: true }
    tx.run(setProfileColumns, { id, ...now })
    emitProfileUpdated(tx, id)
    return { success: true }
  },
})

/** Whoever else is signed in as this member has to know the new password from now on. */
function changePassword(
  tx: Transaction,
  { sessionId }: Actor,
  { id, passwordHash }: UserRow,
  { verifiedHash, newHash }: { verifiedHash: string; newHash: string },
): boolean {
  if (passwordHash !== verifiedHash) return false
  tx.run(setPasswordHash, { id, passwordHash: newHash, now: tx.now })
  closeOtherSessions(tx, id, sessionId, sessionEndMessages.passwordChanged)
  return true
}
