import { type ReactNode, useId } from 'react'
import { useIsRootAdmin } from '../../core/admin/use-is-root-admin.ts'
import { session } from '../../core/session/session.ts'
import { shownRoom } from '../../core/session/shown-room.ts'
import { MenuRows } from '../../core/shell/menus/menu-rows.tsx'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { Sheet } from '../../core/ui/dialogs/sheet.tsx'

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
