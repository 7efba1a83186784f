import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MAX_WATCHED_PROFILES } from '../../../shared/profiles/limits.ts'
import { openTestRegion, type TestClient, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'
import { setOwnPrivacy } from '../accounts/users/set-own-privacy.ts'
import { blockUser } from '../relations/block-user.ts'
import { followUser } from '../relations/follow-user.ts'

let region: TestRegion
let owner: TestUser
let viewer: TestUser
let turn = 0

beforeAll(async () => {
  region = await openTestRegion({ MEYDAN_LIMIT_SCALE: '1000' })
})
afterAll(() => region.destroy())
beforeEach(async () => {
  turn++
  owner = await region.createMember(`ada${turn}`)
  viewer = await region.createMember(`can${turn}`)
})

async function watch(user: TestUser, roomId?: number): Promise<TestClient> {
  const client = await region.connectAs(user, roomId)
  expect(await client.request('watchProfile', { userId: owner.userId })).toMatchObject({ success: true })
  return client
}
const setAccount = async (accountPrivacy: 'public' | 'private') =>
  expect(await region.appContext.execute(setOwnPrivacy, owner, { accountPrivacy })).toMatchObject({ success: true })
/** How many events the client has received, after all that were sent before. */
async function countEvents(client: TestClient, name: 'profileViewChanged' | 'userStatusChanged'): Promise<number> {
  await client.request('getRooms', {})
  return client.countEvents(name)
}

describe('a watched profile', () => {
  it('[PROF-52] brings an account that becomes private or public to those who see another profile by it', async () => {
    const [follower, blocked, root] = [
      await region.createMember(`izleyen${turn}`),
      await region.createMember(`engelli${turn}`),
      await region.createRootAdmin(`kök${turn}`),
    ]
    const pair = { followerId: follower.userId, followingId: owner.userId }
    await region.appContext.execute(followUser, follower, pair)
    await region.appContext.execute(blockUser, owner, { blockedUsername: blocked.username })
    const [watching, rootClient] = [await watch(viewer), await watch(root)]
    const unaffected = [
      await watch(follower),
      await watch(blocked),
      await watch(owner),
      await region.connectAs(viewer),
      await region.connectAs(await region.createGuest(`konuk${turn}`)),
    ]
    await setAccount('private')
    expect(await watching.waitForEvent('profileViewChanged')).toEqual({ userId: owner.userId })
    await setAccount('public')
    await setAccount('public')
    for (const client of [watching, rootClient]) expect(await countEvents(client, 'profileViewChanged')).toBe(2)
    for (const client of unaffected) expect(await countEvents(client, 'profileViewChanged')).toBe(0)
    expect(JSON.stringify(watching.transport.received)).not.toMatch(/rivacy/)
  })

  it('[PROF-52] begins with whether the viewer may see it and whether its user is online', async () => {
    const client = await region.connectAs(viewer)
    const { userId } = owner
    const begin = () => client.request('watchProfile', { userId })
    expect(await begin()).toEqual({ success: true, canViewProfile: true, isOnline: false })
    await setAccount('private')
    await region.connectAs(owner)
    expect(await begin()).toEqual({ success: true, canViewProfile: false, isOnline: true })
    expect(await client.request('watchProfile', { userId: 999_999 })).toMatchObject({ canViewProfile: false })
    expect(await region.openConnection().request('watchProfile', { userId })).toMatchObject({ code: 'NotSignedIn' })
  })

  it('[PROF-53] [PRES-06] brings the presence of its user from another room, and from nobody else', async () => {
    const [watching, bystander, sameRoom] = [
      await watch(viewer, 2),
      await region.connectAs(viewer, 2),
      await watch(await region.createGuest(`konuk${turn}`), 1),
    ]
    await region.connectAs(await region.createGuest(`başka${turn}`), 1)
    const online = { username: owner.username, isOnline: true }
    const present = await region.connectAs(owner, 1)
    expect(await watching.waitForEvent('userStatusChanged')).toEqual(online)
    const name = (payload: Record<string, unknown>) => (payload.user as { username: string }).username
    await sameRoom.waitForEvent('user-joined', (payload) => name(payload) === owner.username)
    present.disconnect()
    const offline = { username: owner.username, isOnline: false }
    expect(await watching.waitForEvent('userStatusChanged', ({ isOnline }) => isOnline === false)).toEqual(offline)
    expect(await sameRoom.waitForEvent('userStatusChanged')).toEqual(offline)
    expect(await countEvents(watching, 'userStatusChanged')).toBe(2)
    expect(await countEvents(sameRoom, 'userStatusChanged')).toBe(1)
    expect(await countEvents(bystander, 'userStatusChanged')).toBe(0)
  })

  it('[PROF-53] is watched until unwatchProfile, and up to eight on one connection', async () => {
    const [ended, full] = [await watch(viewer), await watch(viewer)]
    await ended.request('unwatchProfile', { userId: owner.userId })
    for (let index = 0; index < MAX_WATCHED_PROFILES; index++) {
      const { userId } = await region.createGuest(`dolu${turn}x${index}`)
      await full.request('watchProfile', { userId })
    }
    const watching = await watch(viewer)
    await setAccount('private')
    await watching.waitForEvent('profileViewChanged')
    for (const client of [ended, full]) expect(await countEvents(client, 'profileViewChanged')).toBe(0)
  })
})
