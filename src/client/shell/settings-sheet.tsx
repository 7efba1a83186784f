import { type ReactNode, useId } from 'react'
import { BANNED_USERS_LABEL, CLEAR_ROOM_LABEL } from '../../shared/moderation/rules.ts'
import { BLOCKED_USERS_LABEL } from '../../shared/relations/rules.ts'
import { useRootAdmin } from '../accounts/use-root-admin.ts'
import { shownRoom } from '../rooms/shown-room.ts'
import { AlertIcon } from '../ui/icons.tsx'
import { BlockIcon, ChartIcon, CloseIcon, GearIcon, InfoIcon } from '../ui/later-icons.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { useSignal } from '../use-signal.ts'
import { Entry } from './entry.tsx'
import { type OverlayProps, openOverlay } from './open.ts'

/** The settings of the dock. What is opened from here lies over it, and gives the focus back to it. */
export function SettingsSheet({ onClose }: OverlayProps): ReactNode {
  const titleId = useId()
  const room = useSignal(shownRoom, null)
  const isAdmin = useRootAdmin()
  return (
    <Sheet title="Ayarlar" titleId={titleId} side="bottom" onClose={onClose}>
      <ul className="panel-scroll entries">
        <Entry label={BLOCKED_USERS_LABEL} icon={<BlockIcon />} open={() => openOverlay('blockedUsers', {})} />
        {room && (
          <>
            <Entry
              label="Oda Bilgileri"
              icon={<InfoIcon />}
              open={() => openOverlay('roomDetail', { roomId: room.id, name: room.name })}
            />
            <Entry
              label="Oda Yönetimi"
              icon={<GearIcon />}
              open={() => openOverlay('roomManagement', { roomId: room.id })}
            />
          </>
        )}
        {isAdmin && (
          <>
            {room && (
              <Entry
                label={CLEAR_ROOM_LABEL}
                icon={<CloseIcon />}
                open={() => openOverlay('clearRoom', { roomId: room.id, name: room.name })}
              />
            )}
            <Entry label={BANNED_USERS_LABEL} icon={<AlertIcon />} open={() => openOverlay('bans', {})} />
          </>
        )}
        <Entry label="Genel" icon={<ChartIcon />} open={() => openOverlay('status', {})} />
      </ul>
    </Sheet>
  )
}
