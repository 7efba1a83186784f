import { expect, it } from 'vitest'
import { Kind } from '../../../shared/protocol/frame.ts'
import { FakeEnvironment } from '../../core/platform/testing/fake-environment.ts'
import { createRoomPage, RoomHarness } from '../../model/room-chat/testing/room-harness.ts'
import { watchRoomClosure } from './room-closure.ts'

const VIEWER = 7

async function inRoom(roomId = 2) {
  const environment = new FakeEnvironment()
  const client = new RoomHarness(environment)
  const done: string[] = []
  watchRoomClosure({
    live: client.live,
    roomSubscription: client.roomSubscription,
    shownRoomId: () => client.conversations.current?.roomId ?? null,
    isSelf: (userId) => userId === VIEWER,
    showNotice: (message, next) => done.push(`notice ${message} ${next}`),
    toast: (message) => done.push(`toast ${message}`),
    navigateTo: (path) => done.push(`go ${path}`),
  })
  await client.openRoom(createRoomPage({ roomId }))
  const terms = { roomName: 'Oda', message: 'Yasak.', banReason: 'Diğer', duration: '1hr', endsAt: 0 }
  const ban = (bannedFrom: number) =>
    environment.transport.receive([Kind.event, 101, 'bannedNotification', { roomId: bannedFrom, ...terms }])
  const refuseJoin = async (code: string) => {
    client.roomSubscription.rejoin()
    await environment.transport.refuse('joinRoom', { code, message: 'Kapalı.' } as never) // a code of the server
  }
  let seq = 101
  const removeAdmin = (userId: number, ofRoom = roomId) => {
    const payload = { roomId: ofRoom, roomName: 'Oda', userId }
    environment.transport.receive([Kind.event, ++seq, 'roomAdminRemoved', payload])
  }
  const countJoins = () => environment.transport.count('joinRoom')
  return { done, ban, refuseJoin, removeAdmin, countJoins }
}

it('[ENTRY-16] a ban from the shown room is told by an alert that leads to room 1, and from room 1 to the landing page', async () => {
  const other = await inRoom(2)
  other.ban(2)
  expect(other.done).toEqual(['notice Yasak. /room/1'])
  const first = await inRoom(1)
  first.ban(1)
  expect(first.done).toEqual(['notice Yasak. /'])
})

it('[ENTRY-16] a ban from another room is only told', async () => {
  const { done, ban } = await inRoom(2)
  ban(3)
  expect(done).toEqual(['toast #Oda: Yasak.'])
})

it('[ENTRY-10] a join that needs the password leads to the form, and one that a ban refuses out of the room', async () => {
  const { done, refuseJoin } = await inRoom(2)
  await refuseJoin('RoomPasswordRequired')
  await refuseJoin('RoomBanned')
  await refuseJoin('RoomFull')
  expect(done).toEqual(['go /room/2', 'notice Kapalı. /room/1'])
})

it('[ENTRY-09] a former admin of the shown room joins it again, which asks for the password', async () => {
  const { removeAdmin, countJoins } = await inRoom(2)
  const before = countJoins()
  removeAdmin(VIEWER + 1)
  removeAdmin(VIEWER, 3)
  expect(countJoins()).toBe(before)
  removeAdmin(VIEWER)
  expect(countJoins()).toBe(before + 1)
})
