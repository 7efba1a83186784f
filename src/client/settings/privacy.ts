import { Refusal } from '../../shared/protocol/refusals.ts'
import type { PrivacySettings } from '../../shared/settings/rules.ts'
import { callApi } from '../accounts/call-api.ts'
import { session } from '../accounts/session.ts'
import { live } from '../live/state.ts'
import { changeOwnAccount } from '../profiles/own-account.ts'
import { toast } from '../shell/toast.ts'

type Changes = Partial<PrivacySettings>

const NOT_CHANGED = 'Gizlilik ayarları güncellenemedi!'

let last: Promise<unknown> = Promise.resolve()

/** Keeps what was chosen, one after the other, and says how that went. Resolves when that is known. */
export function savePrivacy(changes: Changes, isGuest: boolean): Promise<void> {
  const saved = last.then(async () => {
    const refusal = await (isGuest ? saveOfGuest(changes) : saveOfMember(changes))
    if (refusal === null) void toast('Gizlilik ayarları güncellendi.', 'success')
    else void toast(refusal instanceof Refusal ? `${NOT_CHANGED} ${refusal.body.message}` : NOT_CHANGED, 'error')
  })
  last = saved
  return saved
}

/** Guests have the live channel alone for it, and get a renewed token (specification 2, point 4). */
async function saveOfGuest(changes: Changes): Promise<Refusal | 'lost' | null> {
  const answer = await live.request('updatePrivacySettings', changes)
  if (typeof answer === 'string') return 'lost'
  if (answer instanceof Refusal) return answer
  session.renewToken(answer.token)
  changeOwnAccount(changes)
  return null
}

async function saveOfMember(changes: Changes): Promise<Refusal | 'lost' | null> {
  const answer = await callApi<'updateProfile'>('/users/profile', { as: 'user', method: 'PUT', body: changes })
  if (answer === 'lost' || answer instanceof Refusal) return answer
  changeOwnAccount(answer.user)
  return null
}
