import type { ReactNode } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { shownRoom } from '../../core/session/shown-room.ts'
import { MenuRows } from '../../core/shell/menus/menu-rows.tsx'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { GuestActions } from '../../model/accounts/guest-actions.tsx'
import { LegalLinks } from '../../model/legal/legal-links.tsx'
import { ProfileCard } from './profile-card.tsx'
import '../../model/legal/menu-links.later.css'

/** The viewer's own panel: the profile card and the side menu. */
export function OwnProfilePanel({ viewer }: { viewer: Person }): ReactNode {
  const room = useSignalValue(shownRoom, null)
  return (
    <div className="panel-scroll">
      <ProfileCard viewer={viewer} />
      {viewer.isGuest && <GuestActions />}
      <nav aria-label="Profilim">
        <ul className="menu-rows">
          <MenuRows menu="side" context={{ isGuest: viewer.isGuest, isRootAdmin: viewer.role === 'rootadmin', room }} />
        </ul>
      </nav>
      <LegalLinks isInRoom />
    </div>
  )
}
