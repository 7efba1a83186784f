import { type ReactNode, useId } from 'react'
import { BANNED_USERS_LABEL, CLEAR_ROOM_LABEL } from '../../shared/moderation/rules.ts'
import { BLOCKED_USERS_LABEL } from '../../shared/relations/rules.ts'
import { useIsRootAdmin } from '../accounts/use-is-root-admin.ts'
import { shownRoom } from '../rooms/shown-room.ts'
import { MenuRow } from '../shell/menus/menu-row.tsx'
import { type OverlayProps, openOverlay } from '../shell/overlays/overlays.ts'
import { Sheet } from '../ui/dialogs/sheet.tsx'
import { AlertIcon } from '../ui/icons.tsx'
import { BlockIcon, ChartIcon, CloseIcon, GearIcon, InfoIcon } from '../ui/lazy-icons.tsx'
import { useSignal } from '../use-signal.ts'

/** The settings of the dock. What is opened from here lies over it, and gives the focus back to it. */
export function SettingsSheet({ onClose }: OverlayProps): ReactNode {
  const titleId = useId()
  const room = useSignal(shownRoom, null)
  const isAdmin = useIsRootAdmin()
  return (
    <Sheet title="Ayarlar" titleId={titleId} side="bottom" onClose={onClose}>
      <ul className="panel-scroll entries">
        <MenuRow label={BLOCKED_USERS_LABEL} icon={<BlockIcon />} run={() => openOverlay('blockedUsers', {})} />
        {room && (
          <>
            <MenuRow
              label="Oda Bilgileri"
              icon={<InfoIcon />}
              run={() => openOverlay('roomDetail', { roomId: room.id, name: room.name })}
            />
            <MenuRow
              label="Oda Yönetimi"
              icon={<GearIcon />}
              run={() => openOverlay('roomManagement', { roomId: room.id })}
            />
          </>
        )}
        {isAdmin && (
          <>
            {room && (
              <MenuRow
                label={CLEAR_ROOM_LABEL}
                icon={<CloseIcon />}
                run={() => openOverlay('clearRoomDialog', { roomId: room.id, name: room.name })}
              />
            )}
            <MenuRow label={BANNED_USERS_LABEL} icon={<AlertIcon />} run={() => openOverlay('bansSheet', {})} />
          </>
        )}
        <MenuRow label="Genel" icon={<ChartIcon />} run={() => openOverlay('siteStatus', {})} />
      </ul>
    </Sheet>
  )
}
