import { expect, it } from 'vitest'
import type { FollowChange, FollowListEntry } from '../../../shared/relations/follow-protocol.ts'
import type { FollowStatus } from '../../../shared/relations/follow-rules.ts'
import { flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { LiveList } from '../../core/signals/live-list.ts'
import { applyFollowChange, type FollowSide } from './follow-list.ts'

const OWNER = 1
const entry = (id: number): FollowListEntry => ({
  ...{ id, username: `user${id}`, avatarUrl: null, gender: null, isGuest: false },
})

/** A list of users 5 and 4 that follows changes; a load has these users at the server. */
async function openList(side: FollowSide) {
  const server = { ids: [5, 4], loads: 0 }
  const follows = new LiveList<FollowListEntry, string>({
    failureText: () => '',
    fetchPage: async () => {
      server.loads++
      return { items: server.ids.map(entry), next: null }
    },
  })
  await follows.load(null)
  const change = async (followerId: number, followingId: number, status: FollowStatus) => {
    const names = { followerUsername: `user${followerId}`, followingUsername: `user${followingId}` }
    const event: FollowChange = { followerId, followingId, ...names, status, followerCount: 0, followingCount: 0 }
    applyFollowChange(follows, { userId: OWNER, side }, event)
    await flushPromises()
  }
  return { server, change, shownIds: () => follows.list.peek()?.items.map(({ id }) => id) }
}

it('[REL-39] [REL-41] a list loses a user at the end of a follow and loads again after a new follow', async () => {
  const { server, change, shownIds } = await openList('following')
  await change(OWNER, 5, 'not_following')
  expect(shownIds()).toEqual([4])
  await change(OWNER, 6, 'pending')
  await change(7, OWNER, 'following')
  await change(OWNER, 4, 'following')
  expect([server.loads, shownIds()]).toEqual([1, [4]])
  server.ids = [7, 4]
  await change(OWNER, 7, 'following')
  expect(shownIds()).toEqual([7, 4])
})

it('[REL-39] the followers of a user are the other list', async () => {
  const { change, shownIds } = await openList('followers')
  await change(OWNER, 4, 'not_following')
  await change(5, OWNER, 'not_following')
  expect(shownIds()).toEqual([4])
})
