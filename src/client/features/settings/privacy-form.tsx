import { type ReactNode, useEffect, useState } from 'react'
import type { OwnAccount } from '../../../shared/profiles/protocol.ts'
import type { PrivacySettings } from '../../../shared/settings/rules.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { RadioList } from '../../core/ui/forms/radio-list.tsx'
import { Select } from '../../core/ui/forms/select.tsx'
import { loadOwnAccount, ownAccount } from '../../model/profiles/own-account.ts'
import { LoadNote } from '../../model/site-status/stats.tsx'
import { savePrivacy } from './save-privacy.ts'

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
            className="privacy-row"
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
