import type { ReactNode } from 'react'
import { GHOST_BAN_LABEL } from '../../../shared/moderation/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { requestGhostBan } from '../../model/moderation/bans.ts'
import { BanTermsForm } from '../../model/moderation/restriction-form.tsx'

interface GhostBanFormProps extends OverlayProps {
  id: UserId
  username: string
}

/** 'Ghost Ban': the form with the duration; the reason is always the same. */
export function GhostBanForm({ id, username, onClose }: GhostBanFormProps): ReactNode {
  return (
    <BanTermsForm
      title={GHOST_BAN_LABEL}
      ban={({ duration }) => requestGhostBan({ id, username }, duration)}
      asksReason={false}
      onClose={onClose}
    >
      <bdi>{username}</bdi> hiçbir şey fark etmez, ama yazdıklarını ve varlığını yalnızca root adminler görür. Aynı
      tarayıcı veya adresten sonra gelen misafirler de kapsanır.
    </BanTermsForm>
  )
}
