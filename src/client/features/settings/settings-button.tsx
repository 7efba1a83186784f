import type { ReactNode } from 'react'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { GearIcon } from '../../core/ui/lazy-icons.tsx'

/** The dock's button of 'Ayarlar'. */
export function SettingsButton(): ReactNode {
  return (
    <button
      type="button"
      className="dock-button"
      aria-label="Ayarlar"
      aria-haspopup="dialog"
      onClick={() => openOverlay('settingsSheet', {})}
    >
      <GearIcon />
      <span>Ayarlar</span>
    </button>
  )
}
