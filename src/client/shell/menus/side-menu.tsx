import type { ReactNode } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { ProfileCard } from '../../profiles/profile-card.tsx'
import { GuestActions } from './guest-actions.tsx'
import { MenuRow } from './menu-row.tsx'
import { sideMenuEntries } from './side-menu-entries.ts'

/** The panel of oneself: who one is here, and what one can do about it. */
export function SideMenu({ viewer }: { viewer: Person }): ReactNode {
  return (
    <div className="panel-scroll">
      <ProfileCard viewer={viewer} />
      {viewer.isGuest && <GuestActions />}
      <nav aria-label="Profilim">
        <ul className="entries">
          {sideMenuEntries
            .filter(({ isAvailableFor }) => isAvailableFor(viewer))
            .map(({ icon: Icon, isAvailableFor: _, ...entry }) => (
              <MenuRow key={entry.label} {...entry} icon={<Icon />} />
            ))}
        </ul>
      </nav>
    </div>
  )
}
