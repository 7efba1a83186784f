import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { PrivacySettings } from '../../../shared/settings/rules.ts'
import { callApi } from '../../core/http/call-api.ts'
import { isFailure } from '../../core/http/is-failure.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { patchOwnAccount } from '../../model/profiles/own-account.ts'

type PrivacyUpdate = Partial<PrivacySettings>

const UPDATE_FAILED = 'Gizlilik ayarları güncellenemedi!'

let lastSave: Promise<unknown> = Promise.resolve()

/** Saves changes, one save after the other, and shows the result in a toast. Resolves after that. */
export function savePrivacy(changes: PrivacyUpdate, isGuest: boolean): Promise<void> {
  const saved = lastSave.then(async () => {
    const refusal = await (isGuest ? saveAsGuest(changes) : saveAsMember(changes))
    if (refusal === null) void toast('Gizlilik ayarları güncellendi.', 'success')
    else void toast(refusal instanceof Refusal ? `${UPDATE_FAILED} ${refusal.body.message}` : UPDATE_FAILED, 'error')
  })
  lastSave = saved
  return saved
}

/** Guests save over the live connection only, and get a renewed token (specification 2, point 4). */
async function saveAsGuest(changes: PrivacyUpdate): Promise<Refusal | 'noAnswer' | null> {
  const answer = await live.request('updatePrivacySettings', changes)
  if (typeof answer === 'string') return 'noAnswer'
  if (answer instanceof Refusal) return answer
  session.replaceToken(answer.token)
  patchOwnAccount(changes)
  return null
}

async function saveAsMember(changes: PrivacyUpdate): Promise<Refusal | 'noAnswer' | null> {
  const answer = await callApi<'updateProfile'>('/users/profile', { as: 'user', method: 'PUT', body: changes })
  if (isFailure(answer)) return answer
  patchOwnAccount(answer.user)
  return null
}
