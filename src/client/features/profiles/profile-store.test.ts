import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UserSummary } from '../../../shared/accounts/protocol.ts'
import type { ConsolidatedProfile } from '../../../shared/profiles/consolidated-protocol.ts'
import { canViewProfile } from '../../../shared/profiles/view-rules.ts'
import type { FollowChange } from '../../../shared/relations/follow-protocol.ts'
import type { FollowStatus } from '../../../shared/relations/follow-rules.ts'
import { flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { type LookupFailure, ProfileStore } from './profile-store.ts'

const VIEWER = 1
const USER = 2
const summary: UserSummary = {
  id: USER,
  username: 'Işıl',
  gender: null,
  avatarUrl: null,
  isGuest: false,
  role: 'member',
  premiumStatus: 'guest',
  lastLoginPlatform: 'web',
}

/** The server: its state, its answer, and its events. */
class FakeServer {
  user = summary
  isOnline = false
  follows: { own: FollowStatus; back: FollowStatus } = { own: 'not_following', back: 'not_following' }
  /** Followers beside the viewer. */
  others = 3
  hasBlocked = false
  isBlocked = false
  accountPrivacy: 'public' | 'private' = 'private'

  get followerCount(): number {
    return this.others + Number(this.follows.own === 'following')
  }

  get followingCount(): number {
    return Number(this.follows.back === 'following')
  }

  answer(): ConsolidatedProfile {
    const canView = canViewProfile({
      isSelf: false,
      viewerRole: 'member',
      accountPrivacy: this.accountPrivacy,
      followStatus: this.follows.own,
      hasBlocked: this.hasBlocked,
      isBlocked: this.isBlocked,
    })
    const room = { id: 7, name: 'Salon' }
    return {
      success: true,
      profile: { ...this.user, isOnline: this.isOnline, accountPrivacy: this.accountPrivacy },
      status: {
        canViewProfile: canView,
        followStatus: this.follows.own,
        followBackStatus: this.follows.back,
        hasBlockedProfile: this.hasBlocked,
        isBlockedByProfile: this.isBlocked,
      },
      stats: { followerCount: this.followerCount, followingCount: this.followingCount },
      posts: [],
      createdRooms: canView ? [room] : [],
      followers: [],
      following: [],
    }
  }

  follow(side: 'own' | 'back', status: FollowStatus): FollowChange {
    this.follows = { ...this.follows, [side]: status }
    const isOwn = side === 'own'
    return {
      followerId: isOwn ? VIEWER : USER,
      followingId: isOwn ? USER : VIEWER,
      followerUsername: '',
      followingUsername: '',
      status,
      followerCount: isOwn ? this.followerCount : 0,
      followingCount: isOwn ? 0 : this.followingCount,
    }
  }
}

const openStore = (server: FakeServer, pending: (() => void)[]) =>
  new ProfileStore(summary.username, { id: VIEWER, isRootAdmin: false }, () => {
    const answer = server.answer()
    return new Promise((resolve) => void pending.push(() => resolve(answer)))
  })

type Step = (server: FakeServer, store: ProfileStore, pending: (() => void)[]) => void

const anySide = fc.constantFrom('own' as const, 'back' as const)
/** A change on the server with its event, a further load, or the oldest pending answer. */
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(anySide, fc.constantFrom<FollowStatus>('not_following', 'pending', 'following')).map(
    ([side, status]): Step =>
      (server, store) =>
        store.applyFollow(server.follow(side, status)),
  ),
  fc.tuple(anySide, fc.boolean()).map(
    ([side, isBlocked]): Step =>
      (server, store) => {
        const isOwn = side === 'own'
        server[isOwn ? 'hasBlocked' : 'isBlocked'] = isBlocked
        const [blockerId, blockedId] = isOwn ? [VIEWER, USER] : [USER, VIEWER]
        store.applyBlock({ blockerId, blockedId }, isBlocked)
      },
  ),
  fc.constantFrom('Işıl', 'ışıl').map(
    (username): Step =>
      (server, store) => {
        server.user = { ...server.user, username }
        store.applyUser(server.user)
      },
  ),
  fc.boolean().map(
    (isOnline): Step =>
      (server, store) => {
        server.isOnline = isOnline
        store.applyOnline({ username: server.user.username, isOnline })
      },
  ),
  fc.constantFrom('member' as const, 'rootadmin' as const).map(
    (role): Step =>
      (server, store) => {
        server.user = { ...server.user, role }
        store.applyRole({ username: server.user.username, role })
      },
  ),
  fc.constantFrom('public' as const, 'private' as const).map(
    (accountPrivacy): Step =>
      (server, store) => {
        server.accountPrivacy = accountPrivacy
        store.applyViewChange(USER)
      },
  ),
  fc.constant<Step>((_, store) => void store.load()),
  fc.constant<Step>((_server, _store, pending) => pending.shift()?.()),
)

describe('ProfileStore', () => {
  it('[PROF-45] equals a new load after any events, also during a load', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 14 }), async (steps) => {
        const server = new FakeServer()
        const pending: (() => void)[] = []
        const store = openStore(server, pending)
        void store.load()
        for (const step of steps) {
          step(server, store, pending)
          await flushPromises()
        }
        while (pending.length > 0) {
          pending.shift()?.()
          await flushPromises()
        }
        expect(store.answer.peek()).toEqual(server.answer())
      }),
    )
  })

  it('[PROF-45] shows what an event says before the new answer, and hides content at once across a block', async () => {
    const server = new FakeServer()
    const pending: (() => void)[] = []
    const store = openStore(server, pending)
    void store.load()
    pending.shift()?.()
    await flushPromises()
    store.applyFollow(server.follow('own', 'following'))
    expect(store.answer.peek()).toMatchObject({ status: { followStatus: 'following' }, stats: { followerCount: 4 } })
    server.accountPrivacy = 'public'
    pending.shift()?.()
    await flushPromises()
    store.applyBlock({ blockerId: USER, blockedId: VIEWER }, true)
    expect(store.answer.peek()).toMatchObject({ status: { canViewProfile: false, isBlockedByProfile: true } })
    store.applyFollow({ ...server.follow('own', 'following'), followerId: 8, followingId: 9, followerCount: 99 })
    expect(store.answer.peek()).toMatchObject({ stats: { followerCount: 4 } })
  })

  it('[PROF-45] [NOTE-03] ends the request of the user at once when it is answered elsewhere', async () => {
    const server = new FakeServer()
    server.follows.back = 'pending'
    const pending: (() => void)[] = []
    const store = openStore(server, pending)
    void store.load()
    pending.shift()?.()
    await flushPromises()
    const statusNow = () => (store.answer.peek() as ConsolidatedProfile).status.followBackStatus // it has loaded
    store.applyRequestEnd(99)
    expect(statusNow()).toBe('pending')
    store.applyRequestEnd(USER)
    expect(statusNow()).toBe('not_following')
  })

  it('[PROF-52] is loaded again when the account became private or public, or the watch begins later', async () => {
    const server = new FakeServer()
    let loads = 0
    const store = new ProfileStore(summary.username, { id: VIEWER, isRootAdmin: false }, async () => {
      loads++
      return server.answer()
    })
    await store.load()
    store.applyViewChange(99)
    store.applyWatched({ canViewProfile: false, isOnline: false })
    await flushPromises()
    expect(loads).toBe(1)
    server.accountPrivacy = 'public'
    store.applyViewChange(USER)
    await flushPromises()
    expect(store.answer.peek()).toMatchObject({ status: { canViewProfile: true }, createdRooms: [{ id: 7 }] })
    server.isOnline = true
    store.applyWatched({ canViewProfile: true, isOnline: true })
    await flushPromises()
    expect([store.answer.peek(), loads]).toEqual([server.answer(), 3])
  })

  it('[PROF-46] ignores an answer for another name', async () => {
    const other = new FakeServer()
    other.user = { ...summary, username: 'Isil' }
    const store = new ProfileStore('Işıl', { id: VIEWER, isRootAdmin: false }, async () => other.answer())
    expect(await store.load()).toBeNull()
    expect(store.answer.peek()).toBeNull()
  })

  it('[PROF-47] says why a load failed, keeps the known profile, and forgets a user who is gone', async () => {
    const server = new FakeServer()
    let next: LookupFailure | null = 'disconnected'
    const store = new ProfileStore('IŞIL', { id: VIEWER, isRootAdmin: false }, async () => next ?? server.answer())
    expect([await store.load(), store.answer.peek()]).toEqual(['disconnected', null])
    next = null
    expect([await store.load(), store.answer.peek()]).toEqual([null, server.answer()])
    next = 'noData'
    expect([await store.load(), store.answer.peek()]).toEqual(['noData', server.answer()])
    next = 'notFound'
    expect([await store.load(), store.answer.peek()]).toEqual(['notFound', 'notFound'])
  })
})
