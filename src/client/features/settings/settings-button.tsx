import type { ReactNode } from 'react'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { icon } from '../../core/ui/composer-icons.tsx'
import { GearIcon } from '../../core/ui/lazy-icons.tsx'

export const SlidersIcon = icon(
  <path d="M4 7.5h9M18.5 7.5H20M4 16.5h1.5M11 16.5h9M18.5 7.5a2.75 2.75 0 1 1-5.5 0 2.75 2.75 0 0 1 5.5 0ZM11 16.5a2.75 2.75 0 1 1-5.5 0 2.75 2.75 0 0 1 5.5 0Z" />,
)

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
