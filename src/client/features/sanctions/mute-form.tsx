import { type ReactNode, useState } from 'react'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { MUTE_DURATIONS, MUTE_LABEL, MUTE_REASONS } from '../../../shared/sanctions/texts.ts'
import { session } from '../../core/session/session.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { RadioList } from '../../core/ui/forms/radio-list.tsx'
import { RestrictionForm } from '../../model/moderation/restriction-form.tsx'
import { requestMute } from './mutes.ts'

interface MuteFormProps extends OverlayProps {
  username: string
  /** The shown room, where its staff mutes; null outside of rooms. */
  roomId: RoomId | null
}

const PLACES = [
  { value: 'site', label: 'Tüm site' },
  { value: 'room', label: 'Bu oda' },
] as const
const REASONS = MUTE_REASONS.map((value) => ({ value, label: value }))

/** 'Sustur': where, how long and why. Root admins choose between the site and the shown room. */
export function MuteForm({ username, roomId, onClose }: MuteFormProps): ReactNode {
  const choosesPlace = session.isRootAdmin() && roomId !== null
  const [place, setPlace] = useState<'site' | 'room'>(session.isRootAdmin() ? 'site' : 'room')
  return (
    <RestrictionForm
      title={MUTE_LABEL}
      submitLabel={MUTE_LABEL}
      durations={MUTE_DURATIONS}
      reasons={REASONS}
      firstReason={MUTE_REASONS[0]}
      fields={choosesPlace && <RadioList legend="Nerede" options={PLACES} value={place} onChange={setPlace} />}
      restrict={(terms) => requestMute({ username, roomId: place === 'site' ? null : roomId, ...terms })}
      onClose={onClose}
    >
      <bdi>{username}</bdi>{' '}
      {place === 'site'
        ? 'süre bitene kadar odalara, gönderilere ve diğer kullanıcılara yazamaz, arama başlatamaz.'
        : 'süre bitene kadar bu odaya yazamaz.'}
    </RestrictionForm>
  )
}
