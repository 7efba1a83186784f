import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Message } from '../../../shared/room-chat/message.ts'
import { findRemovedRoomMessage } from '../../model/moderation/queries.ts'
import { createOwnedRoom, type OwnedRoom } from '../../testing/fixtures/owned-room.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { sendHello, type TestClient, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'
import { runSql } from '../../testing/fixtures/test-rooms.ts'
import { ghostBanGuest } from '../moderation/ghost-ban-guest.ts'
import { deleteRemovedTexts } from './delete-removed-texts.ts'
import { removeMessage, restoreMessage } from './remove-message.ts'

let api: TestApi
let region: TestRegion
let room: OwnedRoom
beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000', MEYDAN_JOIN_WAIT_MS: '0' })
  region = api.region
})
beforeEach(async () => {
  room = await createOwnedRoom(region)
})
afterAll(() => api.close())

type Who = Exclude<keyof OwnedRoom, 'roomId'>
const remove = (who: TestUser, messageId: number) => region.appContext.execute(removeMessage, who, { messageId })
const restore = (who: TestUser, messageId: number) => region.appContext.execute(restoreMessage, who, { messageId })

/** Sends a message to the room and answers its id. */
async function say(who: TestUser, content: string, more: object = {}): Promise<number> {
  const client = await region.connectAs(who, room.roomId)
  const answer = await client.request('sendMessage', { roomId: room.roomId, content, ...more })
  client.disconnect()
  return 'id' in answer && answer.id ? answer.id : expect.unreachable(JSON.stringify(answer))
}
async function listMessages(client: TestClient): Promise<readonly Message[]> {
  const page = await client.request('getMessages', { roomId: room.roomId })
  return 'messages' in page ? page.messages : expect.unreachable(JSON.stringify(page))
}

describe('removing a message', () => {
  it.each<[Who, Who, boolean]>([
    ['root', 'member', true],
    ['root', 'owner', true],
    ['owner', 'member', true],
    ['owner', 'guest', true],
    ['owner', 'admin', false],
    ['owner', 'root', false],
    ['admin', 'member', true],
    ['admin', 'owner', false],
    ['admin', 'root', false],
    ['member', 'guest', false],
    ['member', 'member', false],
    ['guest', 'guest', false],
  ])('[SANCTION-10] by the %s, of one by the %s: %s', async (who, author, isAllowed) => {
    const id = await say(room[author], 'Söz')
    const expected = isAllowed ? { success: true } : { body: { code: 'Forbidden' } }
    expect(await remove(room[who], id)).toMatchObject(expected)
    const removed = await say(room[author], 'Başka söz')
    await remove(room.root, removed)
    const mayRestore = who === 'root' ? { success: true } : { body: { code: 'Forbidden' } }
    expect(await restore(room[who], removed)).toMatchObject(mayRestore)
  })

  it('[SANCTION-10] is refused by the staff of another room, and for unknown messages', async () => {
    const other = await createOwnedRoom(region)
    const id = await say(room.member, 'Söz')
    expect(await remove(other.owner, id)).toMatchObject({ body: { code: 'Forbidden' } })
    expect(await remove(room.root, 999_999)).toMatchObject({ body: { code: 'NotFound' } })
    expect(await restore(room.root, id)).toMatchObject({ body: { code: 'NotFound' } })
  })

  it('[SANCTION-11] leaves its place in live threads, history and search, for its author too', async () => {
    const { roomId, member } = room
    const [author, reader] = [await region.connectAs(member, roomId), await region.connectAs(room.guest, roomId)]
    const outsider = await region.connectAs(room.premium, 1)
    const [before, id] = [await say(member, 'Önce'), await say(member, 'Gizlenecek söz')]
    const reply = await say(room.guest, 'Yanıt', { replyTo: { id } })
    const after = await say(member, 'Sonra')
    expect(await remove(room.admin, id)).toEqual({ success: true })
    for (const client of [author, reader]) {
      expect(await client.waitForEvent('messageRemoved')).toEqual({ roomId, id })
      const messages = await listMessages(client)
      expect(messages.map((message) => message.id)).toEqual([before, id, reply, after])
      expect(messages[1]).toMatchObject({ id, content: '', isRemoved: true, senderId: member.userId })
      expect(messages[1]).not.toHaveProperty('replyTo')
      expect(messages[2]?.replyTo).toEqual({ id, content: null, senderId: null, senderUsername: null })
      expect(await client.request('searchMessages', { roomId, text: 'gizlenecek' })).toMatchObject({ messages: [] })
    }
    await outsider.request('getRooms', {})
    expect(outsider.countEvents('messageRemoved')).toBe(0)
    const cursor = region.appContext.reader.cursor()
    expect(await remove(room.root, id)).toEqual({ success: true })
    expect(region.appContext.reader.cursor()).toBe(cursor)
  })

  it('[SANCTION-11] takes its mentions back', async () => {
    const mentioned = await region.connectAs(room.member)
    const id = await say(room.guest, `@${room.member.username} bak`)
    await mentioned.waitForEvent('newNotification')
    await remove(room.owner, id)
    await mentioned.waitForEvent('notificationsRead')
    const later = await region.connectAs(room.member)
    expect(JSON.stringify(await later.waitForEvent('initialNotifications'))).not.toContain('bak')
  })

  it('[SANCTION-12] is a resync, without the text, for a client that missed it', async () => {
    const { roomId, guest } = room
    const cursor = region.appContext.reader.cursor()
    const id = await say(room.member, 'Kaçırılan söz')
    await remove(room.admin, id)
    const client = region.openConnection()
    const answer = await sendHello(client, guest, { cursor, roomId })
    expect(answer).toMatchObject({ resumed: false })
    await client.request('joinRoom', { roomId })
    expect(await listMessages(client)).toMatchObject([{ id, content: '', isRemoved: true }])
    expect(JSON.stringify(client.transport.received)).not.toContain('Kaçırılan')
  })

  it('[SANCTION-16] lets a retry of its author get the first answer, once', async () => {
    const { roomId, member } = room
    const clientId = randomUUID()
    const id = await say(member, 'Tekrar', { clientId })
    await remove(room.admin, id)
    expect(await say(member, 'Tekrar', { clientId })).toBe(id)
    const client = await region.connectAs(member, roomId)
    expect(await listMessages(client)).toHaveLength(1)
  })
})

describe('restoring a message', () => {
  it('[SANCTION-13] is decided by root admins who read what it said and who removed it', async () => {
    const id = await say(room.member, 'Okunacak söz')
    const { reader } = region.appContext
    expect(findRemovedRoomMessage(reader, id)).toBeUndefined()
    await remove(room.admin, id)
    expect(findRemovedRoomMessage(reader, id)).toEqual({
      content: 'Okunacak söz',
      mediaType: null,
      removedBy: room.admin.username,
      removedAt: expect.any(Number),
    })
    await restore(room.admin, id)
    expect(findRemovedRoomMessage(reader, id)).toBeUndefined()
  })

  it('[SANCTION-13] brings back its text, its quote, quotes of it and its search hit', async () => {
    const { roomId, member } = room
    const client = await region.connectAs(room.guest, roomId)
    const first = await say(room.guest, 'İlk söz')
    const id = await say(member, 'Geri gelecek', { replyTo: { id: first } })
    const reply = await say(room.guest, 'Yanıt', { replyTo: { id } })
    const found = async () => {
      const page = await client.request('searchMessages', { roomId, text: 'gelecek' })
      return 'messages' in page ? page.messages.length : expect.unreachable(JSON.stringify(page))
    }
    await expect.poll(found).toBe(1)
    await remove(room.admin, id)
    expect(await found()).toBe(0)
    expect(await restore(room.owner, id)).toEqual({ success: true })
    const restored = { id, content: 'Geri gelecek', replyTo: { id: first, content: 'İlk söz' } }
    const event = await client.waitForEvent('messageRestored')
    expect(event).toMatchObject(restored)
    const messages = await listMessages(client)
    expect(messages[1]).toEqual(event)
    expect(messages[2]).toMatchObject({ id: reply, replyTo: { content: 'Geri gelecek' } })
    expect(await found()).toBe(1)
  })

  it('[SANCTION-13] [SANCTION-15] ends after 30 days, when what it had is deleted', async () => {
    const id = await say(room.member, 'Eski söz')
    await remove(room.admin, id)
    await region.appContext.execute(deleteRemovedTexts, null, {})
    expect(await restore(room.admin, id)).toEqual({ success: true })
    await remove(room.admin, id)
    runSql(region, 'update removedMessage set removedAt = removedAt - 2592000001 where messageId = ?', id)
    expect(await region.appContext.execute(deleteRemovedTexts, null, {})).toEqual({ removed: 1 })
    expect(await restore(room.root, id)).toMatchObject({ body: { code: 'NotFound' } })
    const client = await region.connectAs(room.guest, room.roomId)
    expect(await listMessages(client)).toMatchObject([{ id, isRemoved: true }])
  })
})

describe('a message of a ghost-banned guest', () => {
  const banAsGhost = () =>
    region.appContext.execute(ghostBanGuest, room.root, { username: room.guest.username, duration: 'indefinite' })

  it('[SANCTION-20] is removed and restored for root admins and its author alone', async () => {
    const { roomId, guest, root } = room
    await banAsGhost()
    const clients = [await region.connectAs(guest, roomId), await region.connectAs(root, roomId)]
    const others = [await region.connectAs(room.member, roomId), await region.connectAs(room.owner, roomId)]
    const id = await say(guest, 'Görünmeyen söz')
    await remove(root, id)
    await restore(root, id)
    for (const [index, client] of clients.entries()) {
      await client.waitForEvent('messageRemoved', (removed) => removed.id === id)
      const restored = await client.waitForEvent('messageRestored', (message) => message.id === id)
      expect(restored).toMatchObject({ content: 'Görünmeyen söz' })
      expect([restored.isGhost, index]).toEqual([index === 1 ? true : undefined, index])
    }
    for (const client of others) {
      await client.request('getRooms', {})
      expect(client.countEvents('messageRemoved') + client.countEvents('messageRestored')).toBe(0)
    }
    expect(await remove(room.owner, id)).toMatchObject({ body: { code: 'NotFound' } })
  })

  it('[SANCTION-20] is removed without a resync for others, who resume as if nothing was missed', async () => {
    const { roomId, guest, root, member } = room
    await banAsGhost()
    const id = await say(guest, 'Görünmeyen söz')
    const cursor = region.appContext.reader.cursor()
    await remove(root, id)
    await say(member, 'Herkese')
    const resume = async (who: TestUser) => {
      const client = region.openConnection()
      const answer = await sendHello(client, who, { cursor, roomId })
      return { answer, received: JSON.stringify(client.transport.received) }
    }
    for (const who of [room.owner, room.premium]) {
      const { answer, received } = await resume(who)
      expect(answer).toMatchObject({ resumed: true })
      expect(received).toContain('Herkese')
      expect(received).not.toContain('messageRemoved')
    }
    for (const who of [guest, root]) expect((await resume(who)).answer).toMatchObject({ resumed: false })
  })
})
