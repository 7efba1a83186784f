import { useEffect, useMemo } from 'react'
import type { UserId } from '../../shared/protocol/ids.ts'
import { session } from '../accounts/session.ts'
import { live } from '../live/state.ts'
import { signal } from '../signal.ts'
import { useSignalValue } from '../use-signal-value.ts'
import { type FollowRelation, FollowRelationStore } from './follow-relation.ts'
import { fetchFollowRelation, listenForFollows } from './follows.ts'

/** Counts connections that did not resume: events were missed. */
const missedEvents = signal(0)
live.onConnected((resumed) => {
  if (!resumed) missedEvents.value++
})

/**
 * How the viewer and a user follow each other, null until it has loaded, and a function that loads it again. It also
 * loads again when `revision` changes.
 */
export function useFollowRelation(
  userId: UserId,
  revision = '',
): { relation: FollowRelation | null; reload: () => Promise<void> } {
  const missed = useSignalValue(missedEvents, 0)
  const store = useMemo(
    () => new FollowRelationStore({ viewerId: session.userId() ?? userId, userId }, () => fetchFollowRelation(userId)),
    [userId],
  )
  const relation = useSignalValue(store.relation, null)
  useEffect(() => listenForFollows((change) => store.applyChange(change)), [store])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of the last two means that the known relation is old
  useEffect(() => void store.load(), [store, missed, revision])
  return { relation, reload: () => store.load() }
}
