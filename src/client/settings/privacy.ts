import { Refusal } from '../../shared/protocol/refusals.ts'
import type { PrivacySettings } from '../../shared/settings/rules.ts'
import { session } from '../accounts/session.ts'
import { live } from '../live/state.ts'
import { changeOwnAccount } from '../profiles/own-account.ts'
import { toast } from '../shell/toast.ts'

const NOT_CHANGED = 'Gizlilik ayarları güncellenemedi!'

let last: Promise<unknown> = Promise.resolve()

/** Keeps what was chosen, one after the other, and says how that went. Resolves when that is known. */
export function savePrivacy(changes: Partial<PrivacySettings>): Promise<void> {
  const saved = last.then(() => save(changes))
  last = saved
  return saved
}

async function save(changes: Partial<PrivacySettings>): Promise<void> {
  const answer = await live.request('updatePrivacySettings', changes)
  if (typeof answer === 'string' || answer instanceof Refusal) {
    void toast(answer instanceof Refusal ? `${NOT_CHANGED} ${answer.body.message}` : NOT_CHANGED, 'error')
    return
  }
  session.renewToken(answer.token)
  changeOwnAccount(changes)
  void toast('Gizlilik ayarları güncellendi.', 'success')
}
