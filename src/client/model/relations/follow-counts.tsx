import type { ReactNode } from 'react'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'
import type { FollowSide } from './follow-list.ts'
import { useFollowRelation } from './use-follow-relation.ts'
import './follows.css'

interface FollowCountsProps {
  user: { id: UserId; username: string }
  /** null until they have loaded: they take their space, empty. */
  counts: { followerCount: number; followingCount: number } | null
  /** Whether the viewer may see the lists. */
  canOpen: boolean
}

/** How many follow a user and are followed by them; each count opens its list where the viewer may see it. */
export function FollowCounts({ user, counts, canOpen }: FollowCountsProps): ReactNode {
  const open = (side: FollowSide) => (canOpen ? () => void openOverlay('followList', { user, side }) : null)
  return (
    <div className="follow-counts">
      {counts && (
        <>
          <FollowCount label="takipçi" count={counts.followerCount} open={open('followers')} />
          <FollowCount label="takip edilen" count={counts.followingCount} open={open('following')} />
        </>
      )}
    </div>
  )
}

/** The counts of the viewer. */
export function OwnFollowCounts({ user }: { user: FollowCountsProps['user'] }): ReactNode {
  return <FollowCounts user={user} counts={useFollowRelation(user.id)} canOpen={true} />
}

function FollowCount({ label, count, open }: { label: string; count: number; open: (() => void) | null }): ReactNode {
  const content = (
    <>
      <b>{countText(count)}</b> {label}
    </>
  )
  if (!open) return <span className="follow-count">{content}</span>
  return (
    <button type="button" className="follow-count follow-count--button" aria-haspopup="dialog" onClick={open}>
      {content}
    </button>
  )
}
