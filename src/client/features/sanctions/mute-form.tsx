import { type FormEvent, type ReactNode, useState } from 'react'
import type { BanDuration } from '../../../shared/moderation/protocol.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { MUTE_DURATIONS, MUTE_LABEL, MUTE_REASONS } from '../../../shared/sanctions/texts.ts'
import { session } from '../../core/session/session.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { Modal } from '../../core/ui/dialogs/modal.tsx'
import { RadioList } from '../../core/ui/forms/radio-list.tsx'
import { requestMute } from './mutes.ts'
import '../../model/moderation/moderation.css'

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
  const [duration, setDuration] = useState<BanDuration>('10min')
  const [reason, setReason] = useState<string>(MUTE_REASONS[0])
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    if (await requestMute({ username, roomId: place === 'site' ? null : roomId, duration, reason })) onClose()
    else setBusy(false)
  }
  return (
    <Modal title={MUTE_LABEL} onClose={onClose}>
      <form className="stack gap-5" noValidate onSubmit={submit}>
        <p className="subject">
          <bdi>{username}</bdi>{' '}
          {place === 'site'
            ? 'süre bitene kadar odalara, gönderilere ve diğer kullanıcılara yazamaz, arama başlatamaz.'
            : 'süre bitene kadar bu odaya yazamaz.'}
        </p>
        {choosesPlace && <RadioList legend="Nerede" options={PLACES} value={place} onChange={setPlace} />}
        <RadioList legend="Süre" options={MUTE_DURATIONS} value={duration} onChange={setDuration} />
        <RadioList legend="Sebep" options={REASONS} value={reason} onChange={setReason} />
        <div className="buttons">
          <button type="button" className="button" onClick={onClose}>
            Vazgeç
          </button>
          <button type="submit" className="button button--danger" aria-disabled={isBusy}>
            {isBusy && <span className="spinner" />}
            {MUTE_LABEL}
          </button>
        </div>
      </form>
    </Modal>
  )
}
