import { type ReactNode, useEffect, useState } from 'react'
import type { OwnAccount } from '../../../shared/profiles/protocol.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { isFailure, type NoAnswer } from '../../../shared/protocol/result.ts'
import type { PrivacySettings } from '../../../shared/settings/rules.ts'
import { callApi } from '../../core/http/call-api.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { RadioList } from '../../core/ui/forms/radio-list.tsx'
import { Select } from '../../core/ui/forms/select.tsx'
import { loadOwnAccount, ownAccount, patchOwnAccount } from '../../model/profiles/own-account.ts'
import { LoadNote } from '../../model/site-status/stats.tsx'

type PrivacyUpdate = Partial<PrivacySettings>

const UPDATE_FAILED = 'Gizlilik ayarları güncellenemedi!'

let lastSave: Promise<unknown> = Promise.resolve()

const privacyFields = [
  ['messagePrivacy', 'Mesaj yazma'],
  ['messageImagePrivacy', 'Resim ve video'],
  ['messageAudioPrivacy', 'Ses kaydı'],
  ['voiceCallPrivacy', 'Sesli arama'],
  ['videoCallPrivacy', 'Görüntülü arama'],
] as const
const audienceOptions = [
  ['everyone', 'Herkes'],
  ['followers', 'Takipçilerim'],
  ['following', 'Takip ettiklerim'],
  ['nobody', 'Hiç kimse'],
] as const
const accountOptions = [
  { value: 'public', label: 'Herkese açık' },
  { value: 'private', label: 'Gizli' },
] as const

/** The privacy settings. */
export function PrivacyForm(): ReactNode {
  const account = useSignalValue(ownAccount, null)
  useEffect(() => void loadOwnAccount(), [])
  if (account === null) return <LoadNote state="loading" reload={loadOwnAccount} />
  if (account === 'failed') return <LoadNote state="failed" reload={loadOwnAccount} />
  return <PrivacyFields account={account} />
}

function PrivacyFields({ account }: { account: OwnAccount }): ReactNode {
  const { privacy, choose } = useOptimisticPrivacy(account)
  return (
    <>
      <fieldset className="privacy">
        <legend className="field-label">Sana kim ulaşabilir?</legend>
        {privacyFields.map(([field, label]) => (
          <Select
            key={field}
            className="row gap-3 between"
            label={label}
            options={audienceOptions}
            value={privacy[field]}
            onChange={(value) => choose({ [field]: value })}
          />
        ))}
      </fieldset>
      <RadioList
        legend="Hesabın"
        options={accountOptions}
        value={privacy.accountPrivacy}
        onChange={(accountPrivacy) => choose({ accountPrivacy })}
      />
    </>
  )
}

/** Shows a choice before it is saved, and the account's value again when saving fails. */
function useOptimisticPrivacy(account: OwnAccount): {
  privacy: PrivacySettings
  choose: (changes: Partial<PrivacySettings>) => void
} {
  const [chosen, setChosen] = useState<readonly Partial<PrivacySettings>[]>([])
  const choose = async (changes: Partial<PrivacySettings>): Promise<void> => {
    setChosen((before) => [...before, changes])
    await savePrivacy(changes, account.isGuest)
    setChosen((before) => before.filter((other) => other !== changes))
  }
  return { privacy: Object.assign({}, account, ...chosen), choose }
}

/** Saves changes, one save after the other, and shows the result in a toast. Resolves after that. */
function savePrivacy(changes: PrivacyUpdate, isGuest: boolean): Promise<void> {
  const saved = lastSave.then(async () => {
    const refusal = await (isGuest ? saveAsGuest(changes) : saveAsMember(changes))
    if (refusal === null) void toast('Gizlilik ayarları güncellendi.', 'success')
    else void toast(refusal instanceof Refusal ? `${UPDATE_FAILED} ${refusal.body.message}` : UPDATE_FAILED, 'error')
  })
  lastSave = saved
  return saved
}

/** Guests save over the live connection only, and get a renewed token (specification 2, point 4). */
async function saveAsGuest(changes: PrivacyUpdate): Promise<Refusal | NoAnswer | null> {
  const answer = await live.request('updatePrivacySettings', changes)
  if (isFailure(answer)) return answer
  session.replaceToken(answer.token)
  patchOwnAccount(changes)
  return null
}

async function saveAsMember(changes: PrivacyUpdate): Promise<Refusal | NoAnswer | null> {
  const answer = await callApi<'updateProfile'>('/users/profile', { as: 'user', method: 'PUT', body: changes })
  if (isFailure(answer)) return answer
  patchOwnAccount(answer.user)
  return null
}
