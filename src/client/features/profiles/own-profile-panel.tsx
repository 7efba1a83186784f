import type { ReactNode } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { shownRoom } from '../../core/session/shown-room.ts'
import { MenuRows } from '../../core/shell/menus/menu-rows.tsx'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { GuestActions } from '../../model/accounts/guest-actions.tsx'
import { LegalLinks } from '../../model/legal/legal-links.tsx'
import '../../model/legal/menu-links.lazy.css'
import { Avatar } from '../../core/ui/person/avatar.tsx'
import { TierLabel } from '../../core/ui/person/tier-label.tsx'
import { loadOwnAccount, ownAccount } from '../../model/profiles/own-account.ts'
import { OwnFollowCounts } from '../../model/relations/follow-counts.tsx'
import { LoadNote } from '../../model/site-status/stats.tsx'
import { WalletWidget } from '../../model/wallet/wallet-widget.tsx'
import { ProfileDetailsView } from './profile-details.tsx'
import '../../core/ui/person/large-avatar.css'
import './profile-card.css'

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

/** The viewer's own profile: the page's data at once, the loaded details later. */
function ProfileCard({ viewer }: { viewer: Person }): ReactNode {
  const account = useSignalValue(ownAccount, null)
  const known = account === 'failed' ? null : account
  const avatarUrl = known?.largeAvatarUrl ?? viewer.avatarUrl
  return (
    <section className="profile-card" aria-label="Profil">
      <Avatar user={{ ...viewer, avatarUrl }} size={96} />
      <h3>
        <bdi>{viewer.username}</bdi>
      </h3>
      <TierLabel person={viewer} />
      {known && <ProfileDetailsView about={known} />}
      {!viewer.isGuest && <OwnFollowCounts user={viewer} />}
      {account === null && !viewer.isGuest && <span role="status" aria-label="Yükleniyor..." />}
      <WalletWidget viewer={viewer} />
      {account === 'failed' && <LoadNote state="failed" reload={loadOwnAccount} />}
    </section>
  )
}
