import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestRegion, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'
import { addRoomAdminRow, setRoomOwner } from '../../testing/fixtures/test-rooms.ts'

let site: TestRegion
let owner: TestUser
let admin: TestUser
let member: TestUser
beforeEach(async () => {
  site = await openTestRegion()
  owner = await site.createMember('sahip')
  admin = await site.createMember('yardımcı')
  member = await site.createMember('üye')
  setRoomOwner(site, 2, owner)
  addRoomAdminRow(site, 2, admin)
})
afterEach(() => site.destroy())

describe('clearing a room', () => {
  it('[MANAGE-02] is for its owner, its admins and root admins', async () => {
    const bystander = await site.connectAs(member, 2)
    const root = await site.createRootAdmin('kök')
    for (const [index, user] of [owner, admin, root].entries()) {
      const client = await site.connectAs(user)
      expect(await client.request('clearRoomMessages', { roomId: 2 })).toEqual({ success: true })
      await expect.poll(() => bystander.countEvents('clearMessages')).toBe(index + 1)
    }
  })

  it('[MANAGE-02] is refused to others, also to the staff of another room', async () => {
    const bystander = await site.connectAs(member, 1)
    const guest = await site.createGuest('gelip')
    for (const user of [owner, admin, member, guest]) {
      const client = await site.connectAs(user)
      expect(await client.request('clearRoomMessages', { roomId: 1 })).toMatchObject({ code: 'Forbidden' })
    }
    const client = await site.connectAs(owner)
    expect(await client.request('clearRoomMessages', { roomId: 99 })).toMatchObject({ code: 'RoomNotFound' })
    expect(bystander.countEvents('clearMessages')).toBe(0)
  })
})
