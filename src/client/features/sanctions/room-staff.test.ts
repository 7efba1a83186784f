import { expect, it } from 'vitest'
import { Kind } from '../../../shared/protocol/frame.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { createRoomPage, RoomHarness } from '../../model/room-chat/testing/room-harness.ts'
import { RoomStaff } from './room-staff.ts'

const [owner, admin, laterAdmin, other] = [11, 12, 13, 14]

/** The list of a viewer who enters a room with one admin; `ids` are the staff by it. */
async function enterRoom({ isExempt = true, isRootAdmin = false }) {
  const environment = new FakeEnvironment()
  const client = new RoomHarness(environment)
  const { live, roomSubscription, conversations } = client
  const admins = [admin]
  let fetches = 0
  const fetchAdmins = async () => {
    fetches++
    return [...admins]
  }
  const staff = new RoomStaff({ live, roomSubscription, conversations, isRootAdmin: () => isRootAdmin, fetchAdmins })
  const { room } = createRoomPage()
  roomSubscription.openPage(createRoomPage())
  await client.answerHello()
  await client.answerJoin({ missed: [], exempt: isExempt, room: { ...room, ownerId: owner } })
  const addAdmin = async () => {
    admins.push(laterAdmin)
    const payload = { roomId: 1, roomName: room.name, admin: { id: laterAdmin } as never } // the id is not read
    environment.transport.receive([Kind.event, 101, 'roomAdminAdded', payload])
    await flushPromises()
  }
  return {
    addAdmin,
    ids: () => [owner, admin, laterAdmin, other].filter((id) => staff.has(id)),
    fetches: () => fetches,
  }
}

it('[SANCTION-10] knows the owner and the admins of the shown room, for one of them', async () => {
  const { ids, addAdmin } = await enterRoom({})
  expect(ids()).toEqual([owner, admin])
  await addAdmin()
  expect(ids()).toEqual([owner, admin, laterAdmin])
})

it.each([{ isExempt: false }, { isRootAdmin: true }])('asks for no admins where %o', async (viewer) => {
  const { addAdmin, fetches } = await enterRoom(viewer)
  await addAdmin()
  expect(fetches()).toBe(0)
})
