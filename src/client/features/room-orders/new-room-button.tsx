import type { ReactNode } from 'react'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { NewRoomIcon } from './icons.tsx'

/** Opens the order of a room. */
export function NewRoomButton(): ReactNode {
  return (
    <button
      type="button"
      className="button button--accent"
      aria-haspopup="dialog"
      onClick={() => openOverlay('orderRoom', {})}
    >
      <NewRoomIcon size={20} />
      YENİ ODA AÇ
    </button>
  )
}
