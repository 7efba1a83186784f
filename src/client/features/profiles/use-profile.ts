import { useEffect, useMemo, useState } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import type { ConsolidatedProfile } from '../../../shared/profiles/consolidated-protocol.ts'
import { profileTexts } from '../../../shared/profiles/rules.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { callApi } from '../../core/http/call-api.ts'
import { missedEvents } from '../../core/live/missed-events.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { listenForFollows } from '../../model/relations/follows.ts'
import { roomUsers } from '../../model/rooms/room-users-state.ts'
import { type LookupFailure, ProfileStore } from './profile-store.ts'
import { ProfileWatch } from './profile-watch.ts'

/** How often an open profile is loaded again: many changes of presence at once come without events. */
const REFRESH_MS = 60_000

const profileWatch = new ProfileWatch(live)

/**
 * A user's profile, kept current while it is shown; null before the first answer. A first load that fails is shown in a
 * toast, and `onFailure` is called.
 */
export function useProfile(
  username: string,
  onFailure: () => void,
): { answer: ConsolidatedProfile | 'notFound' | null; isFailed: boolean; reload: () => Promise<void> } {
  const store = useMemo(
    () => new ProfileStore(username, { id: session.userId(), isRootAdmin: session.isRootAdmin() }, fetchProfile),
    [username],
  )
  const answer = useSignalValue(store.answer, null)
  const missed = useSignalValue(missedEvents, 0)
  const [isFailed, setFailed] = useState(false)
  const load = async (): Promise<void> => {
    setFailed(false)
    const failure = await store.load()
    if (failure === null || failure === 'notFound' || store.answer.peek() !== null) return
    void toast(failure === 'noData' ? profileTexts.noData : profileTexts.notLoaded, 'error')
    setFailed(true)
    onFailure()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: after missed events the known profile is old
  useEffect(() => void load(), [store, missed])
  useEffect(() => listen(store), [store])
  const userId = answer === null || answer === 'notFound' ? null : answer.profile.id
  useEffect(() => {
    return userId === null ? undefined : profileWatch.watch(userId, (shown) => store.applyWatched(shown))
  }, [store, userId])
  return { answer, isFailed, reload: load }
}

function listen(store: ProfileStore): () => void {
  const timer = setInterval(() => {
    if (!document.hidden) void store.load()
  }, REFRESH_MS)
  const unsubscribers = [
    live.on('userProfileUpdated', ({ user }) => store.applyUser(user)),
    live.on('userStatusChanged', (change) => store.applyOnline(change)),
    live.on('profileViewChanged', ({ userId }) => store.applyViewChange(userId)),
    live.on('userBlocked', (change) => store.applyBlock(change, true)),
    live.on('userUnblocked', (change) => store.applyBlock(change, false)),
    live.on('userRoleUpdated', (change) => store.applyRole(change)),
    listenForFollows((change) => store.applyFollow(change)),
    live.on('removeNotification', ({ type, requestId }) => {
      if (type === 'follow') store.applyRequestEnd(requestId)
    }),
  ]
  return () => {
    clearInterval(timer)
    unsubscribers.forEach((unsubscribe) => void unsubscribe())
  }
}

async function fetchProfile(username: string): Promise<ConsolidatedProfile | LookupFailure> {
  const path = `/users/profile-consolidated/${encodeURIComponent(username)}`
  const answer = await callApi<'consolidatedProfile'>(path, { as: 'user' })
  if (answer === 'noAnswer') return answer
  if (answer instanceof Refusal) return answer.body.code === 'NotFound' ? 'notFound' : 'noData'
  return answer
}

/** The user as the list of the room's users has them now; undefined outside the room. Reloads the profile when they leave. */
export function useRoomMember(username: string, reload: () => unknown): Person | undefined {
  const { users } = useSignalValue(roomUsers, roomUsers.peek())
  const member = users.find((user) => user.username === username)
  const isHere = member !== undefined
  const [wasHere, setWasHere] = useState(isHere)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only leaving and entering the room count
  useEffect(() => {
    if (isHere !== wasHere) void reload()
    setWasHere(isHere)
  }, [isHere])
  return member
}
