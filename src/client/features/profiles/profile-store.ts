import type { UserSummary } from '../../../shared/accounts/protocol.ts'
import type { ConsolidatedProfile } from '../../../shared/profiles/consolidated-protocol.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { NoAnswer } from '../../../shared/protocol/result.ts'
import type { FollowChange } from '../../../shared/relations/follow-protocol.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import { signal } from '../../core/signals/signal.ts'

/** Why a profile is not loaded: `noData` (a refusal) and no answer have a text each. */
export type LookupFailure = 'notFound' | 'noData' | NoAnswer

interface ProfileViewer {
  id: UserId | null
  isRootAdmin: boolean
}

/**
 * A user's profile as the viewer sees it: loaded by name, then kept current. An event changes what it says at once, and
 * the profile is loaded again, because an event has no content that it makes visible.
 */
export class ProfileStore {
  /** null before the first answer. */
  readonly answer = signal<ConsolidatedProfile | 'notFound' | null>(null)
  private username: string
  private readonly viewer: ProfileViewer
  private readonly fetchProfile: (username: string) => Promise<ConsolidatedProfile | LookupFailure>
  private loading: Promise<LookupFailure | null> | null = null
  private isStale = false

  constructor(
    username: string,
    viewer: ProfileViewer,
    fetchProfile: (username: string) => Promise<ConsolidatedProfile | LookupFailure>,
  ) {
    this.username = username
    this.viewer = viewer
    this.fetchProfile = fetchProfile
  }

  /** Loads the profile, once more if something changes meanwhile. Returns why it failed; the known profile stays then. */
  load(): Promise<LookupFailure | null> {
    this.isStale = true
    this.loading ??= this.loadUntilFresh().finally(() => {
      this.loading = null
    })
    return this.loading
  }

  applyFollow(change: FollowChange): void {
    const known = this.knownOrStale()
    if (!known) return
    const { id } = known.profile
    const { followerId, followingId, status } = change
    if (followerId !== id && followingId !== id) return
    this.patch({
      stats: {
        followerCount: followingId === id ? change.followerCount : known.stats.followerCount,
        followingCount: followerId === id ? change.followingCount : known.stats.followingCount,
      },
      status: {
        ...known.status,
        ...(followerId === this.viewer.id && followingId === id && { followStatus: status }),
        ...(followerId === id && followingId === this.viewer.id && { followBackStatus: status }),
      },
    })
    void this.load()
  }

  /** A request to follow the viewer is answered or withdrawn; an accepted one is followed by its own event. */
  applyRequestEnd(followerId: UserId): void {
    const known = this.knownOrStale()
    if (known?.profile.id !== followerId || known.status.followBackStatus !== 'pending') return
    this.patch({ status: { ...known.status, followBackStatus: 'not_following' } })
    void this.load()
  }

  applyBlock({ blockerId, blockedId }: { blockerId: UserId; blockedId: UserId }, isBlocked: boolean): void {
    const known = this.knownOrStale()
    if (!known) return
    const { id } = known.profile
    const isByViewer = blockerId === this.viewer.id && blockedId === id
    if (!isByViewer && (blockerId !== id || blockedId !== this.viewer.id)) return
    const blocks = isByViewer ? { hasBlockedProfile: isBlocked } : { isBlockedByProfile: isBlocked }
    const canViewProfile = known.status.canViewProfile && (!isBlocked || this.viewer.isRootAdmin)
    this.patch({ status: { ...known.status, ...blocks, canViewProfile } })
    void this.load()
  }

  applyUser(user: UserSummary): void {
    const known = this.knownOrStale()
    if (!known || user.id !== known.profile.id) return
    this.username = user.username
    this.patch({ profile: { ...known.profile, ...user } })
    void this.load()
  }

  applyRole({ username, role }: { username: string; role: UserSummary['role'] }): void {
    const known = this.knownOrStale()
    if (!known || username !== known.profile.username) return
    this.patch({ profile: { ...known.profile, role } })
    void this.load()
  }

  applyOnline({ username, isOnline }: { username: string; isOnline: boolean }): void {
    const known = this.knownOrStale()
    if (!known || username !== known.profile.username) return
    this.patch({ profile: { ...known.profile, isOnline } })
    void this.load()
  }

  /** What is known may be old: the server answers this when the profile is watched. */
  applyWatched({ canViewProfile, isOnline }: { canViewProfile: boolean; isOnline: boolean }): void {
    const known = this.knownOrStale()
    if (!known || (known.status.canViewProfile === canViewProfile && known.profile.isOnline === isOnline)) return
    void this.load()
  }

  /** The account became private or public. */
  applyViewChange(userId: UserId): void {
    const known = this.knownOrStale()
    if (known?.profile.id === userId) void this.load()
  }

  private known(): ConsolidatedProfile | null {
    const answer = this.answer.peek()
    return answer === 'notFound' ? null : answer
  }

  private patch(changes: Partial<ConsolidatedProfile>): void {
    const known = this.known()
    if (known) this.answer.value = { ...known, ...changes }
  }

  /** The known profile; without one, a pending answer may be older than the event. */
  private knownOrStale(): ConsolidatedProfile | null {
    const known = this.known()
    if (!known && this.loading) this.isStale = true
    return known
  }

  private async loadUntilFresh(): Promise<LookupFailure | null> {
    let failure: LookupFailure | null = null
    while (this.isStale) {
      this.isStale = false
      failure = await this.loadOnce()
    }
    return failure
  }

  private async loadOnce(): Promise<LookupFailure | null> {
    const requested = this.username
    const answer = await this.fetchProfile(requested)
    if (this.isStale) return null
    if (answer === 'notFound') this.answer.value = answer
    // Another user's profile is ignored (specification 1, point 2).
    else if (typeof answer === 'object' && foldName(answer.profile.username) === foldName(requested)) {
      this.answer.value = answer
    }
    return typeof answer === 'string' ? answer : null
  }
}
