import { beforeEach, describe, expect, it } from 'vitest'
import type { FollowChange, FollowListEntry } from '../../../shared/relations/follow-protocol.ts'
import type { FollowStatus } from '../../../shared/relations/follow-rules.ts'
import { flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { FollowListStore, type FollowPage } from './follow-list.ts'

const OWNER = 1
const entry = (id: number): FollowListEntry => ({
  id,
  username: `user${id}`,
  avatarUrl: null,
  gender: null,
  isGuest: false,
})
const change = (followerId: number, followingId: number, status: FollowStatus): FollowChange => ({
  followerId,
  followingId,
  followerUsername: `user${followerId}`,
  followingUsername: `user${followingId}`,
  status,
  followerCount: 0,
  followingCount: 0,
})

interface PendingRequest {
  before: string | null
  answer(page: FollowPage | string): Promise<void>
}
let requests: PendingRequest[]
let store: FollowListStore
beforeEach(() => {
  requests = []
  store = new FollowListStore(OWNER, 'following', (before) => {
    const { promise, resolve } = Promise.withResolvers<FollowPage | string>()
    requests.push({
      before,
      answer: (page) => {
        resolve(page)
        return flushPromises()
      },
    })
    return promise
  })
})
const shownIds = () => store.list.peek()?.items.map(({ id }) => id)
const page = (ids: number[], next: string | null = null): FollowPage => ({ items: ids.map(entry), next })

describe('FollowListStore', () => {
  it('[REL-39] loads page by page, and returns the text of a failure', async () => {
    void store.load()
    await requests[0]?.answer(page([5, 4], '9-4'))
    const second = store.load('9-4')
    await requests[1]?.answer(page([3]))
    expect([await second, requests.map(({ before }) => before), shownIds()]).toEqual([null, [null, '9-4'], [5, 4, 3]])
    const failing = store.load()
    await requests[2]?.answer('Bu hesap gizli.')
    expect([await failing, shownIds()]).toEqual(['Bu hesap gizli.', [5, 4, 3]])
  })

  it('[REL-39] [REL-41] removes a user at the end of a follow and loads again after a new follow', async () => {
    void store.load()
    await requests[0]?.answer(page([5, 4]))
    store.applyChange(change(OWNER, 5, 'not_following'))
    expect(shownIds()).toEqual([4])
    store.applyChange(change(OWNER, 6, 'pending'))
    store.applyChange(change(7, OWNER, 'following'))
    store.applyChange(change(OWNER, 4, 'following'))
    expect([requests.length, shownIds()]).toEqual([1, [4]])
    store.applyChange(change(OWNER, 7, 'following'))
    await requests[1]?.answer(page([7, 4]))
    expect(shownIds()).toEqual([7, 4])
  })

  it('[REL-41] drops the page of a load during which a follow changed', async () => {
    const first = store.load()
    store.applyChange(change(OWNER, 5, 'not_following'))
    await requests[0]?.answer(page([5, 4]))
    expect(shownIds()).toBeUndefined()
    await requests[1]?.answer(page([4]))
    expect([await first, shownIds()]).toEqual([null, [4]])
  })

  it('[REL-39] shows the followers of a user in the other list', async () => {
    const followers = new FollowListStore(OWNER, 'followers', async () => page([5, 4]))
    await followers.load()
    followers.applyChange(change(OWNER, 4, 'not_following'))
    followers.applyChange(change(5, OWNER, 'not_following'))
    expect(followers.list.peek()?.items.map(({ id }) => id)).toEqual([4])
  })
})
