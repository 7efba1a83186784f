import type { ReactNode } from 'react'
import type { DockEntry } from '../shell/dock.island.tsx'
import { openOverlay } from '../shell/overlays/overlays.ts'
import { GearIcon } from '../ui/lazy-icons.tsx'

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
