import type { OwnAccount } from '../../shared/profiles/protocol.ts'
import { profileTexts } from '../../shared/profiles/rules.ts'
import { callApi } from '../http/call-api.ts'
import { isFailure } from '../http/is-failure.ts'
import { live } from '../live/state.ts'
import { toast } from '../shell/toasts/toast.ts'
import { signal } from '../signal.ts'

/** One's own account; null until it was loaded once. */
export const ownAccount = signal<OwnAccount | 'failed' | null>(null)

let generation = 0

// The event says how one is shown; what one says of oneself is asked for.
live.on('userProfileUpdated', ({ user }) => {
  const own = ownAccount.peek()
  if (own !== null && own !== 'failed' && own.id === user.id) void loadOwnAccount()
})

/** Loads it anew; until it is there, what was known stands. */
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

/** Notes what was changed of it and is kept by now. */
export function patchOwnAccount(changes: Partial<OwnAccount>): void {
  const own = ownAccount.peek()
  if (own === null || own === 'failed') return
  generation++ // what is on its way may be from before
  ownAccount.value = { ...own, ...changes }
}
