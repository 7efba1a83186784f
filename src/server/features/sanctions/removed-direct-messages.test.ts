import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { DirectMessage } from '../../../shared/direct-messages/message.ts'
import type { Refusal } from '../../../shared/protocol/refusals.ts'
import { commandRegistry } from '../../commands.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { WriterTransaction } from '../../kernel/database/transaction.ts'
import { userById } from '../../model/accounts/queries.ts'
import { removeMessage } from '../../model/moderation/transactions.ts'
import { query } from '../../model/schema/query.ts'
import { sent } from '../../testing/fixtures/direct-messages.ts'
import { createOwnedRoom, type OwnedRoom } from '../../testing/fixtures/owned-room.ts'
import {
  openTestRegion,
  sendHello,
  type TestClient,
  type TestRegion,
  type TestUser,
} from '../../testing/fixtures/test-region.ts'
import { deleteConversation } from '../direct-messages/delete-conversation.ts'
import { listConversations } from '../direct-messages/list-conversations.ts'
import { ghostBanGuest } from '../moderation/ghost-ban-guest.ts'

const actionsAbout = query<{ id: number }>()((db, p) =>
  db
    .selectFrom('actionEntry')
    .select(['kind', 'actorId', 'targetId'])
    .where('subjectId', '=', p('id'))
    .where('subjectType', '=', 'directMessage')
    .orderBy('id'),
)

let region: TestRegion
let room: OwnedRoom
let author: TestClient
let receiver: TestClient
beforeAll(async () => {
  region = await openTestRegion({ MEYDAN_LIMIT_SCALE: '1000' })
})
beforeEach(async () => {
  room = await createOwnedRoom(region)
  author = await region.connectAs(room.member)
  receiver = await region.connectAs(room.premium)
})
afterAll(() => region.destroy())

/** Removes the message in a transaction of its own, as a decision about a report does; the region reads it from the log. */
function remove({ userId, sessionId }: TestUser, id: number): Refusal | null {
  const { reader, config } = region.appContext
  const db = openForWriting(config.databaseFile)
  const tx = new WriterTransaction(db, commandRegistry.hooks)
  const role = reader.get(userById, { id: userId })?.role ?? expect.unreachable('no such user')
  tx.begin(Date.now())
  const refusal = removeMessage(tx, { userId, sessionId, role }, { type: 'directMessage', id })
  tx.commit()
  db.close()
  return refusal
}
async function listMessages(client: TestClient, other: TestUser): Promise<readonly DirectMessage[]> {
  const page = await client.request('getDirectMessages', { userId: other.userId })
  return 'messages' in page ? page.messages : expect.unreachable(JSON.stringify(page))
}
const previewFor = (user: TestUser) =>
  listConversations(region.appContext.reader, { ...user, role: 'member' }, () => false).conversations[0]?.lastMessage

it('[SANCTION-17] leaves its place for both users, its preview and its quote', async () => {
  const bystander = await region.connectAs(room.owner)
  const { id } = await sent(author, room.premium, 'Kaba söz')
  const reply = await sent(receiver, room.member, 'Bu ne?', { replyTo: { id } })
  const last = await sent(author, room.premium, 'Son söz', { replyTo: { id } })
  expect(remove(room.owner, id)).toMatchObject({ body: { code: 'Forbidden' } })
  expect(remove(room.root, 999_999)).toMatchObject({ body: { code: 'NotFound' } })
  expect(remove(room.root, id)).toBeNull()
  const payload = { id, senderId: room.member.userId, recipientId: room.premium.userId }
  for (const [client, other] of [
    [author, room.premium],
    [receiver, room.member],
  ] as const) {
    expect(await client.waitForEvent('directMessageRemoved')).toEqual(payload)
    const messages = await listMessages(client, other)
    expect(messages.map((message) => message.id)).toEqual([id, reply.id, last.id])
    expect(messages[0]).toMatchObject({ content: '', isRemoved: true })
    expect(messages[1]?.replyTo).toEqual({ id, content: null, senderId: null, senderUsername: null })
  }
  expect(previewFor(room.premium)).toBe('Son söz')
  remove(room.root, last.id)
  expect([previewFor(room.premium), previewFor(room.member)]).toEqual(['Bu mesaj kaldırıldı', 'Bu mesaj kaldırıldı'])
  expect(bystander.countEvents('directMessageRemoved')).toBe(0)
})

it('[SANCTION-17] is no event for the side that has deleted the conversation', async () => {
  const { id } = await sent(author, room.premium, 'Kaba söz')
  await region.appContext.execute(deleteConversation, room.premium, { otherUserId: room.member.userId })
  remove(room.root, id)
  await author.waitForEvent('directMessageRemoved')
  await receiver.request('getRooms', {})
  expect(receiver.countEvents('directMessageRemoved')).toBe(0)
})

it('[SANCTION-20] of a ghost-banned guest is removed without an event or a resync for the other', async () => {
  const { guest, premium, root } = room
  await region.appContext.execute(ghostBanGuest, root, { username: guest.username, duration: 'indefinite' })
  const ghost = await region.connectAs(guest)
  const { id } = await sent(ghost, premium, 'Görünmeyen söz')
  const cursor = region.appContext.reader.cursor()
  remove(root, id)
  expect(await ghost.waitForEvent('directMessageRemoved')).toMatchObject({ id })
  const { id: seen } = await sent(author, premium, 'Görünen söz')
  await receiver.waitForEvent('directMessage', (message) => message.id === seen)
  expect(receiver.countEvents('directMessageRemoved')).toBe(0)
  const resumed = region.openConnection()
  expect(await sendHello(resumed, premium, { cursor })).toMatchObject({ resumed: true })
  expect(await sendHello(region.openConnection(), guest, { cursor })).toMatchObject({ resumed: false })
  expect(JSON.stringify(resumed.transport.received)).not.toContain('directMessageRemoved')
})

it('[SANCTION-18] is recorded once, with who and whom and not with what it said', async () => {
  const { id } = await sent(author, room.premium, 'Kaba söz')
  for (let time = 0; time < 2; time++) remove(room.root, id)
  const entry = { kind: 'messageRemoved', actorId: room.root.userId, targetId: room.member.userId }
  expect(region.appContext.reader.all(actionsAbout, { id })).toEqual([entry])
})
