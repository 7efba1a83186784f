import { describe, expect, it } from 'vitest'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { Kind } from '../../../shared/protocol/frame.ts'
import { ADA } from '../../core/live/testing/fixture-users.ts'
import { FakeEnvironment } from '../../core/platform/testing/fake-environment.ts'
import { createRoomPage, RoomHarness } from '../../model/room-chat/testing/room-harness.ts'
import { WritePermissionSync } from './write-permission.ts'

const REFUSED = { canWrite: false, placeholder: "Bu odaya yalnızca Premium'lar yazabilir." }
const WRITABLE = { canWrite: true, placeholder: 'Mesaj yaz' }

async function inRoom({ viewer = ADA as Person, isExempt = false, isLate = false } = {}) {
  const environment = new FakeEnvironment()
  const client = new RoomHarness(environment)
  const { live, roomSubscription, conversations } = client
  const start = () =>
    new WritePermissionSync({ live, roomSubscription, conversations, viewer: () => viewer, muteText: () => null })
  if (!isLate) start()
  const { room } = createRoomPage()
  client.roomSubscription.openPage(createRoomPage({ writePermission: REFUSED }))
  const permission = () => client.conversation.permission.value
  const onPage = permission()
  await client.answerHello()
  const premiumRoom = { ...room, messagePreference: 'premium' }
  await client.answerJoin({ missed: [], room: premiumRoom, exempt: isExempt })
  const sync = isLate ? start() : null
  let seq = 100
  const receive = (name: string, payload: object) =>
    environment.transport.receive([Kind.event, ++seq, name, payload as never]) // what the server sends
  const setPreference = (messagePreference: string, roomId = 1) =>
    receive('roomPreferencesUpdated', { roomId, messagePreference, mediaPreference: 'everyone' })
  return { client, permission, onPage, receive, setPreference, sync, premiumRoom }
}

describe('the composer of a room with a message preference', () => {
  it('[ENTRY-03] says why the viewer may not write from the page on, and after the join', async () => {
    const { onPage, permission } = await inRoom()
    expect([onPage, permission()]).toEqual([REFUSED, REFUSED])
  })

  it('[ENTRY-03] follows the preference of the shown room, and of no other', async () => {
    const { permission, setPreference } = await inRoom()
    setPreference('everyone', 2)
    expect(permission()).toEqual(REFUSED)
    setPreference('everyone')
    expect(permission()).toEqual(WRITABLE)
    setPreference('admins')
    expect(permission()).toEqual({ canWrite: false, placeholder: 'Bu odaya yalnızca oda adminleri yazabilir.' })
  })

  it("[ENTRY-03] follows the viewer's premium and role, and nobody else's", async () => {
    const { permission, receive } = await inRoom()
    receive('userProfileUpdated', { user: { ...ADA, id: 77, premiumStatus: 'premium' } })
    expect(permission()).toEqual(REFUSED)
    receive('userProfileUpdated', { user: { ...ADA, premiumStatus: 'premium' } })
    expect(permission()).toEqual(WRITABLE)
    receive('userProfileUpdated', { user: ADA })
    expect(permission()).toEqual(REFUSED)
    receive('userProfileUpdated', { user: { ...ADA, role: 'rootadmin' } })
    expect(permission()).toEqual(WRITABLE)
  })

  it('[ENTRY-03] stays open for the staff of the room', async () => {
    const { permission, setPreference } = await inRoom({ isExempt: true })
    expect(permission()).toEqual(WRITABLE)
    setPreference('admins')
    expect(permission()).toEqual(WRITABLE)
  })

  it('[ENTRY-03] knows the last join when its code loads later, and the preference that is read again', async () => {
    const { permission, sync } = await inRoom({ isExempt: true, isLate: true })
    expect(permission()).toEqual(WRITABLE)
    const other = await inRoom({ isLate: true })
    expect(other.permission()).toEqual(REFUSED)
    other.sync?.setPreferences(1, { messagePreference: 'everyone', mediaPreference: 'everyone' })
    expect([other.permission(), sync === null]).toEqual([WRITABLE, false])
  })

  it('[ENTRY-03] takes the preference of a join after a lost connection', async () => {
    const { client, permission, premiumRoom } = await inRoom()
    client.roomSubscription.rejoin()
    await client.answerJoin({ room: { ...premiumRoom, messagePreference: 'everyone' } })
    expect(permission()).toEqual(WRITABLE)
  })
})
