import { type ReactNode, useEffect, useState } from 'react'
import type { OwnAccount } from '../../shared/profiles/protocol.ts'
import type { PrivacySettings } from '../../shared/settings/rules.ts'
import { loadOwnAccount, ownAccount } from '../profiles/own-account.ts'
import { LoadNote } from '../site-status/stats.tsx'
import { ChevronIcon } from '../ui/lazy-icons.tsx'
import { RadioList } from '../ui/radio-list.tsx'
import { useSignalValue } from '../use-signal-value.ts'
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

/** Whom one lets come near, in each of the ways. */
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
        {privacyFields.map(([way, label]) => (
          <label key={way} className="privacy-row">
            <span>{label}</span>
            <span className="privacy-select">
              <select
                value={privacy[way]}
                // The options are the values that there are.
                onChange={({ target }) => choose({ [way]: target.value as PrivacySettings[typeof way] })}
              >
                {audienceOptions.map(([value, name]) => (
                  <option key={value} value={value}>
                    {name}
                  </option>
                ))}
              </select>
              <ChevronIcon size={16} />
            </span>
          </label>
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

/** What was chosen is shown at once; where it could not be kept, what holds is shown again. */
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
