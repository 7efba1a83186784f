import type { ReactNode } from 'react'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { JoinIcon } from '../../core/ui/lazy-icons.tsx'
import { logOut } from './log-out.ts'
import './guest-actions.css'

/** The buttons of a guest's side menu (specification 2, point 2, "Side menu"). */
export function GuestActions(): ReactNode {
  return (
    <div className="buttons guest-actions">
      <button type="button" className="button button--accent" onClick={() => openOverlay('signUp', {})}>
        <JoinIcon />
        Üye Ol
      </button>
      <button type="button" className="button" onClick={logOut}>
        Çıkış Yap
      </button>
    </div>
  )
}
