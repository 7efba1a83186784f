import type { ReactNode } from 'react'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { GearIcon } from '../../core/ui/lazy-icons.tsx'
import type { DockEntry } from '../../page/dock.island.tsx'

export const dockEntries: readonly DockEntry[] = [{ order: 30, component: SettingsButton }]

function SettingsButton(): ReactNode {
  return (
    <button
      type="button"
      className="dock-button"
      aria-label="Ayarlar"
      aria-haspopup="dialog"
      onClick={() => openOverlay('settingsSheet', {})}
    >
      <GearIcon />
      <span className="dock-label">Ayarlar</span>
    </button>
  )
}
