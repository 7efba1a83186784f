import { type ReactNode, useEffect } from 'react'
import { isRenewable } from '../../../shared/room-orders/term-rules.ts'
import { EXTEND_LABEL, NO_EXPIRY_TEXT, TERM_EXPLANATION } from '../../../shared/room-orders/texts.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { dateText } from '../../core/ui/format/turkish-time.ts'
import type { RoomManagementSectionProps } from '../../model/rooms/room-management-section.ts'
import { daysLeftText, useServerMinute } from './days-left-button.tsx'

/** 'Oda süresi': when the room expires; the owner extends it here. */
export function TermSection({ details: { room }, reload }: RoomManagementSectionProps): ReactNode {
  const now = useServerMinute()
  useEffect(() => live.on('ownRoomsChanged', ({ roomId }) => roomId === room.id && reload()), [room.id, reload])
  if (room.expiryDate === null) return <p className="soft">{NO_EXPIRY_TEXT}</p>
  const isOwner = room.ownerId !== null && session.isSelf(room.ownerId)
  const left = daysLeftText(room, now)
  return (
    <div className="section">
      <p>
        Bitiş: <strong>{dateText(room.expiryDate)}</strong>
        {left !== null && ` · ${left}`}
      </p>
      <p className="soft">{TERM_EXPLANATION}</p>
      {isOwner && (
        <button
          type="button"
          className="button button--accent button--large"
          aria-disabled={!isRenewable(room, now)}
          aria-haspopup="dialog"
          onClick={() => isRenewable(room, now) && openOverlay('renewRoom', { room })}
        >
          {EXTEND_LABEL}
        </button>
      )}
    </div>
  )
}
