import type { UserSummary } from '../../../shared/accounts/protocol.ts'
import type { CallPerson } from './call-state.ts'

/** A user of whom only what a conversation or a notification shows is known. */
export function callPersonOf(
  user: Pick<UserSummary, 'id' | 'username' | 'avatarUrl' | 'gender' | 'isGuest'>,
): CallPerson {
  return { ...user, role: user.isGuest ? 'guest' : 'member', premiumStatus: 'guest' }
}
