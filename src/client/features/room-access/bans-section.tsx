import { type ReactNode, useMemo } from 'react'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { BanRow, NO_BANS_TEXT } from '../../model/moderation/restriction-row.tsx'
import type { RoomManagementSectionProps } from '../../model/rooms/room-management-section.ts'
import { createRoomBanList, requestRoomBanLift } from './room-bans.ts'

/** 'Yasaklılar': who is banned from the room, each with a button that lifts the ban. */
export function BansSection({ roomId }: RoomManagementSectionProps): ReactNode {
  const bans = useMemo(() => createRoomBanList(roomId), [roomId])
  return (
    <div className="section">
      <PagedList
        list={bans}
        empty={NO_BANS_TEXT}
        row={(ban) => <BanRow key={ban.id} ban={ban} lift={() => requestRoomBanLift(bans, ban)} />}
      />
    </div>
  )
}
