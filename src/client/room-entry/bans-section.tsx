import { type ReactNode, useLayoutEffect } from 'react'
import { BanRow, NO_BANS_TEXT } from '../moderation/ban-row.tsx'
import type { RoomManagementSectionProps } from '../rooms/room-management-section.ts'
import { PagedList } from '../ui/lists/paged-list.tsx'
import { useSignalValue } from '../use-signal-value.ts'
import { loadRoomBans, requestRoomBanLift, roomBanList } from './room-bans.ts'

/** 'Yasaklılar': who is banned from the room, each with a button that lifts the ban. */
export function BansSection({ roomId }: RoomManagementSectionProps): ReactNode {
  const list = useSignalValue(roomBanList, null)
  useLayoutEffect(() => {
    roomBanList.value = null
  }, [])
  return (
    <div className="room-section">
      <PagedList
        list={list}
        load={(before) => loadRoomBans(roomId, before)}
        empty={NO_BANS_TEXT}
        row={(ban) => <BanRow key={ban.id} ban={ban} lift={() => requestRoomBanLift(ban)} />}
      />
    </div>
  )
}
