import { type ReactNode, useId } from 'react'
import { session } from '../accounts/session.ts'
import { useIsRootAdmin } from '../accounts/use-is-root-admin.ts'
import { shownRoom } from '../rooms/shown-room.ts'
import { MenuRows } from '../shell/menus/menu-rows.tsx'
import type { OverlayProps } from '../shell/overlays/overlays.ts'
import { Sheet } from '../ui/dialogs/sheet.tsx'
import { useSignalValue } from '../use-signal-value.ts'

/** 'Ayarlar'. Overlays that it opens lie above it and return the focus to it. */
export function SettingsSheet({ onClose }: OverlayProps): ReactNode {
  const titleId = useId()
  const room = useSignalValue(shownRoom, null)
  const isRootAdmin = useIsRootAdmin()
  return (
    <Sheet title="Ayarlar" titleId={titleId} side="bottom" onClose={onClose}>
      <ul className="panel-scroll menu-rows">
        <MenuRows menu="settings" context={{ isGuest: session.isGuest(), isRootAdmin, room }} />
      </ul>
    </Sheet>
  )
}
