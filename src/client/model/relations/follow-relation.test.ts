import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FollowChange } from '../../../shared/relations/follow-protocol.ts'
import type { FollowStatus } from '../../../shared/relations/follow-rules.ts'
import { flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { type FollowRelation, FollowRelationStore } from './follow-relation.ts'

const VIEWER = 1
const USER = 2
const PUBLIC_VIEWER = 3
type Follows = Map<string, FollowStatus>

const statusOf = (follows: Follows, follower: number, following: number): FollowStatus =>
  follows.get(`${follower} ${following}`) ?? 'not_following'
const countOf = (follows: Follows, matches: (follower: number, following: number) => boolean): number =>
  [...follows].filter(([pair, status]) => {
    const [follower = 0, following = 0] = pair.split(' ').map(Number)
    return status === 'following' && matches(follower, following)
  }).length
const followersOf = (follows: Follows, userId: number) => countOf(follows, (_, following) => following === userId)
const followingOf = (follows: Follows, userId: number) => countOf(follows, (follower) => follower === userId)

/** What the server answers about the viewer and the user. */
const relationOf = (follows: Follows): FollowRelation => ({
  followStatus: statusOf(follows, VIEWER, USER),
  followBackStatus: statusOf(follows, USER, VIEWER),
  accountPrivacy: 'public',
  followerCount: followersOf(follows, USER),
  followingCount: followingOf(follows, USER),
})

/** Changes a follow on the server; returns its event. */
function changeFollow(follows: Follows, followerId: number, followingId: number, status: FollowStatus): FollowChange {
  follows.set(`${followerId} ${followingId}`, status)
  return {
    followerId,
    followingId,
    followerUsername: `user${followerId}`,
    followingUsername: `user${followingId}`,
    status,
    followerCount: followersOf(follows, followingId),
    followingCount: followingOf(follows, followerId),
  }
}

describe('FollowRelationStore', () => {
  it('[REL-36] [REL-41] equals a new load after any events, also during a load', async () => {
    const status = fc.constantFrom<FollowStatus>('not_following', 'pending', 'following')
    const pair = fc.constantFrom([VIEWER, USER], [USER, VIEWER], [VIEWER, PUBLIC_VIEWER])
    const step = fc.oneof(
      fc.record({ kind: fc.constant('event' as const), pair, status }),
      fc.record({ kind: fc.constantFrom('load' as const, 'answer' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const follows: Follows = new Map()
        const pending: (() => void)[] = []
        const store = new FollowRelationStore({ viewerId: VIEWER, userId: USER }, () => {
          const answer = relationOf(follows)
          return new Promise((resolve) => void pending.push(() => resolve(answer)))
        })
        void store.load()
        for (const one of steps) {
          if (one.kind === 'event') {
            const [follower = 0, following = 0] = one.pair
            store.applyChange(changeFollow(follows, follower, following, one.status))
          } else if (one.kind === 'load') void store.load()
          else pending.shift()?.()
          await flushPromises()
        }
        while (pending.length > 0) {
          pending.shift()?.()
          await flushPromises()
        }
        expect(store.relation.peek()).toEqual(relationOf(follows))
      }),
    )
  })

  it('[REL-41] [NOTE-03] ends the request of the user when it is answered elsewhere, and of nobody else', async () => {
    const follows: Follows = new Map([[`${USER} ${VIEWER}`, 'pending']])
    const store = new FollowRelationStore({ viewerId: VIEWER, userId: USER }, async () => relationOf(follows))
    await store.load()
    store.applyRequestEnd(PUBLIC_VIEWER)
    expect(store.relation.peek()?.followBackStatus).toBe('pending')
    store.applyRequestEnd(USER)
    expect(store.relation.peek()?.followBackStatus).toBe('not_following')
  })

  it('[REL-41] keeps the known relation when a load fails', async () => {
    const follows: Follows = new Map()
    let isFailing = false
    const store = new FollowRelationStore({ viewerId: VIEWER, userId: USER }, async () =>
      isFailing ? null : relationOf(follows),
    )
    await store.load()
    isFailing = true
    await store.load()
    store.applyChange(changeFollow(follows, VIEWER, USER, 'following'))
    expect(store.relation.peek()).toEqual(relationOf(follows))
  })

  it('[REL-39] counts the own followers and followed users', async () => {
    const follows: Follows = new Map()
    const store = new FollowRelationStore({ viewerId: USER, userId: USER }, async () => relationOf(follows))
    await store.load()
    store.applyChange(changeFollow(follows, VIEWER, USER, 'following'))
    store.applyChange(changeFollow(follows, USER, PUBLIC_VIEWER, 'following'))
    expect(store.relation.peek()).toMatchObject({ followerCount: 1, followingCount: 1, followStatus: 'not_following' })
  })
})
