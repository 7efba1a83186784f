import type { ReactNode } from 'react'
import type { Person } from '../../shared/accounts/protocol.ts'
import { OwnFollowCounts } from '../relations/follow-counts.tsx'
import { LoadNote } from '../site-status/stats.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { useSignalValue } from '../use-signal-value.ts'
import { WalletWidget } from '../wallet/wallet-widget.tsx'
import { loadOwnAccount, ownAccount } from './own-account.ts'
import { ProfileDetailsView } from './profile-details.tsx'
import { TierLabel } from './tier-label.tsx'
import '../ui/large-avatar.css'
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
