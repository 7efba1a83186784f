import { type ReactNode, useEffect, useMemo } from 'react'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'
import type { FollowSide } from './follow-list.ts'
import './follows.css'
import { missedEvents } from '../../core/live/missed-events.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { type FollowRelation, FollowRelationStore } from './follow-relation.ts'
import { fetchFollowRelation, listenForFollows } from './follows.ts'

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
  if (!open) return <span>{content}</span>
  return (
    <button type="button" aria-haspopup="dialog" onClick={open}>
      {content}
    </button>
  )
}

/** How the viewer and a user follow each other, null until it has loaded. */
function useFollowRelation(userId: UserId): FollowRelation | null {
  const missed = useSignalValue(missedEvents, 0)
  const store = useMemo(
    () => new FollowRelationStore({ viewerId: session.userId() ?? userId, userId }, () => fetchFollowRelation(userId)),
    [userId],
  )
  const relation = useSignalValue(store.relation, null)
  useEffect(() => listenForFollows((change) => store.applyChange(change)), [store])
  useEffect(
    () =>
      live.on('removeNotification', ({ type, requestId }) => {
        if (type === 'follow') store.applyRequestEnd(requestId)
      }),
    [store],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: after missed events the known relation is old
  useEffect(() => void store.load(), [store, missed])
  return relation
}
