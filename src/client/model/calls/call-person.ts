import type { UserSummary } from '../../../shared/accounts/protocol.ts'

/** The other user, as far as the call's window shows one; a `UserSummary` and a `RecipientInfo` fit. */
export type CallPerson = Pick<
  UserSummary,
  'id' | 'username' | 'avatarUrl' | 'gender' | 'isGuest' | 'role' | 'premiumStatus'
>

/** A user of whom only what a conversation or a notification shows is known. */
export function callPersonOf(
  user: Pick<UserSummary, 'id' | 'username' | 'avatarUrl' | 'gender' | 'isGuest'>,
): CallPerson {
  return { ...user, role: user.isGuest ? 'guest' : 'member', premiumStatus: 'guest' }
}
