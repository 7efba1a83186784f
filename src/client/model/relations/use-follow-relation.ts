import { useEffect, useMemo } from 'react'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { missedEvents } from '../../core/live/missed-events.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { type FollowRelation, FollowRelationStore } from './follow-relation.ts'
import { fetchFollowRelation, listenForFollows } from './follows.ts'

/** How the viewer and a user follow each other, null until it has loaded. */
export function useFollowRelation(userId: UserId): FollowRelation | null {
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
