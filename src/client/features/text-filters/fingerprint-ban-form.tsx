import { type ReactNode, useState } from 'react'
import { coverOptions, linkedTexts } from '../../../shared/text-filters/screen-texts.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { RadioList } from '../../core/ui/forms/radio-list.tsx'
import { BanTermsForm } from '../../model/moderation/restriction-form.tsx'
import { banFingerprints } from './linked-accounts.ts'

interface FingerprintBanFormProps extends OverlayProps {
  username: string
}

/** Bans an account with its browsers, its addresses or both. */
export function FingerprintBanForm({ username, onClose }: FingerprintBanFormProps): ReactNode {
  const [covered, setCovered] = useState<(typeof coverOptions)[number]['value']>('browser')
  return (
    <BanTermsForm
      title={linkedTexts.ban}
      ban={(terms) =>
        banFingerprints({ username, covers: covered === 'both' ? ['browser', 'address'] : [covered], ...terms })
      }
      fields={<RadioList legend={linkedTexts.covers} options={coverOptions} value={covered} onChange={setCovered} />}
      onClose={onClose}
    >
      <bdi>{username}</bdi>: {linkedTexts.banHint}
    </BanTermsForm>
  )
}
