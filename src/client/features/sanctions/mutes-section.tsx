import { type ReactNode, useLayoutEffect } from 'react'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import type { Mute } from '../../../shared/sanctions/protocol.ts'
import { LIFT_MUTE_LABEL, NO_MUTES_TEXT } from '../../../shared/sanctions/texts.ts'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { RestrictionRow } from '../../model/moderation/restriction-row.tsx'
import type { RoomManagementSectionProps } from '../../model/rooms/room-management-section.ts'
import { muteList, openMuteList, requestMuteLift } from './mutes.ts'
import '../../model/moderation/moderation.css'

/** 'Susturmalar' of 'Moderasyon': the mutes of the site and of all rooms. */
export function SiteMutesSection(): ReactNode {
  return (
    <div className="bans">
      <MuteList roomId={null} />
    </div>
  )
}

/** 'Susturmalar' of 'Oda Yönetimi'. */
export function RoomMutesSection({ roomId }: RoomManagementSectionProps): ReactNode {
  return (
    <div className="section">
      <MuteList roomId={roomId} />
    </div>
  )
}

function MuteList({ roomId }: { roomId: RoomId | null }): ReactNode {
  useLayoutEffect(() => openMuteList(roomId), [roomId])
  return (
    <PagedList
      list={muteList}
      empty={NO_MUTES_TEXT}
      row={(mute) => (
        <RestrictionRow
          key={mute.id}
          {...mute}
          reason={roomId === null ? `${placeOf(mute)} · ${mute.reason}` : mute.reason}
          by={mute.mutedBy}
          liftLabel={LIFT_MUTE_LABEL}
          shortLiftLabel="Kaldır"
          lift={() => requestMuteLift(mute)}
        />
      )}
    />
  )
}

function placeOf({ roomId, roomName }: Mute): string {
  return roomId === null ? 'Tüm site' : `#${roomName}`
}
