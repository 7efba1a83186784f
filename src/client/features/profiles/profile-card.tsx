import type { ReactNode } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { Avatar } from '../../core/ui/person/avatar.tsx'
import { TierLabel } from '../../core/ui/person/tier-label.tsx'
import { loadOwnAccount, ownAccount } from '../../model/profiles/own-account.ts'
import { OwnFollowCounts } from '../../model/relations/follow-counts.tsx'
import { LoadNote } from '../../model/site-status/stats.tsx'
import { WalletWidget } from '../../model/wallet/wallet-widget.tsx'
import { ProfileDetailsView } from './profile-details.tsx'
import '../../core/ui/person/large-avatar.css'
import './profile-card.css'

/** The viewer's own profile: the page's data at once, the loaded details later. */
export function ProfileCard({ viewer }: { viewer: Person }): ReactNode {
  const account = useSignalValue(ownAccount, null)
  const known = account === 'failed' ? null : account
  const avatarUrl = known?.largeAvatarUrl ?? viewer.avatarUrl
  return (
    <section className="profile-card" aria-label="Profil">
      <Avatar user={{ ...viewer, avatarUrl }} size={96} />
      <h3 className="profile-card-name">
        <bdi>{viewer.username}</bdi>
      </h3>
      <TierLabel person={viewer} />
      {known && <ProfileDetailsView about={known} />}
      {!viewer.isGuest && <OwnFollowCounts user={viewer} />}
      {account === null && !viewer.isGuest && (
        <span className="profile-card-wait" role="status" aria-label="Yükleniyor..." />
      )}
      <WalletWidget viewer={viewer} />
      {account === 'failed' && <LoadNote state="failed" reload={loadOwnAccount} />}
    </section>
  )
}
