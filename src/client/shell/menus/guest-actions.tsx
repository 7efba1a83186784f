import type { ReactNode } from 'react'
import { JoinIcon } from '../../accounts/icons.tsx'
import { session } from '../../accounts/session.ts'
import { openOverlay } from '../overlays/overlays.ts'
import './guest-actions.css'

/** What guests have beside their short menu: to stay as a member, or to go (specification 2, point 2, "Side menu"). */
export function GuestActions(): ReactNode {
  return (
    <div className="guest-doors">
      <button type="button" className="button button--accent" onClick={() => openOverlay('signUp', {})}>
        <JoinIcon />
        Üye Ol
      </button>
      <button type="button" className="button" onClick={() => session.logOut()}>
        Çıkış Yap
      </button>
    </div>
  )
}
