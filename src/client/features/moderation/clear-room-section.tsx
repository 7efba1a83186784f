import type { ReactNode } from 'react'
import { CLEAR_ROOM_LABEL } from '../../../shared/moderation/rules.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import type { RoomManagementSectionProps } from '../../model/rooms/room-management-section.ts'

/** Removes all messages of the room, after a confirmation. */
export function ClearRoomSection({ roomId, details }: RoomManagementSectionProps): ReactNode {
  const { name } = details.room
  return (
    <div className="section">
      <p className="soft">
        <bdi>#{name}</bdi> odasındaki bütün mesajlar geçmişten ve aramadan da silinir.
      </p>
      <button
        type="button"
        className="button button--danger"
        aria-haspopup="dialog"
        onClick={() => openOverlay('clearRoomDialog', { roomId, name })}
      >
        {CLEAR_ROOM_LABEL}
      </button>
    </div>
  )
}
