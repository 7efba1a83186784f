import type { ReactNode } from 'react'
import type { UserId } from '../../shared/protocol/ids.ts'
import { canSeeFollowLists } from '../../shared/relations/follow-rules.ts'
import { session } from '../accounts/session.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'
import { countText } from '../ui/format/turkish-number.ts'
import type { FollowSide } from './follow-list.ts'
import type { FollowRelation } from './follow-relation.ts'
import { useFollowRelation } from './use-follow-relation.ts'
import './follows.css'

interface FollowCountsProps {
  user: { id: UserId; username: string }
  /** null until it has loaded: the counts take their space, empty. */
  relation: FollowRelation | null
}

/** How many follow a user and are followed by them; each count opens its list where the viewer may see it. */
export function FollowCounts({ user, relation }: FollowCountsProps): ReactNode {
  const isVisible =
    relation !== null &&
    canSeeFollowLists({ ...relation, isSelf: session.isSelf(user.id), isRootAdmin: session.isRootAdmin() })
  const open = (side: FollowSide) => (isVisible ? () => void openOverlay('followList', { user, side }) : null)
  return (
    <div className="follow-counts">
      {relation && (
        <>
          <FollowCount label="takipçi" count={relation.followerCount} open={open('followers')} />
          <FollowCount label="takip edilen" count={relation.followingCount} open={open('following')} />
        </>
      )}
    </div>
  )
}

/** The counts of the viewer. */
export function OwnFollowCounts({ user }: { user: FollowCountsProps['user'] }): ReactNode {
  const { relation } = useFollowRelation(user.id)
  return <FollowCounts user={user} relation={relation} />
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
