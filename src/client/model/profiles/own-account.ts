import type { OwnAccount } from '../../../shared/profiles/protocol.ts'
import { profileTexts } from '../../../shared/profiles/rules.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import { callApi } from '../../core/http/call-api.ts'
import { live } from '../../core/live/state.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { signal } from '../../core/signals/signal.ts'

/** The viewer's own account; null before the first load. */
export const ownAccount = signal<OwnAccount | 'failed' | null>(null)

let generation = 0

// The event has the user summary only; the profile must be fetched.
live.on('userProfileUpdated', ({ user }) => {
  const own = ownAccount.peek()
  if (own !== null && own !== 'failed' && own.id === user.id) void loadOwnAccount()
})

/** Loads the own account again; the old value stays until the answer. */
export async function loadOwnAccount(): Promise<void> {
  const now = ++generation
  if (ownAccount.peek() === 'failed') ownAccount.value = null
  const answer = await callApi<'account'>('/users/account', { as: 'user' })
  if (now !== generation) return
  if (!isFailure(answer)) ownAccount.value = answer.user
  else if (ownAccount.peek() === null) {
    ownAccount.value = 'failed'
    void toast(profileTexts.notLoaded, 'error')
  }
}

/** Applies saved changes to the own account. */
export function patchOwnAccount(changes: Partial<OwnAccount>): void {
  const own = ownAccount.peek()
  if (own === null || own === 'failed') return
  generation++ // a pending load may be older
  ownAccount.value = { ...own, ...changes }
}
