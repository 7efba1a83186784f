import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Media } from '../../../shared/media/media.ts'
import { roomMediaCommands } from '../../model/conversations/media-commands.ts'
import { deleteRemovedMessages } from '../../model/moderation/remove-messages.ts'
import { authorized } from '../../testing/fixtures/direct-messages.ts'
import { createOwnedRoom, type OwnedRoom } from '../../testing/fixtures/owned-room.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { createPicture } from '../../testing/fixtures/test-pictures.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { runSql } from '../../testing/fixtures/test-rooms.ts'
import { clearRoomMessages } from '../moderation/clear-room-messages.ts'
import { roomChatRoutes } from '../room-chat/feature.ts'
import { deleteRemovedTexts } from './delete-removed-texts.ts'
import { removeMessage, restoreMessage } from './remove-message.ts'

let api: TestApi
let room: OwnedRoom
let side = 60

beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000', MEYDAN_JOIN_WAIT_MS: '0' }, (app, _, { appContext }) =>
    roomChatRoutes(app, appContext),
  )
})
beforeEach(async () => {
  room = await createOwnedRoom(api.region)
})
afterAll(() => api.close())

const run = <I extends object>(write: Parameters<typeof api.region.appContext.execute<I, object>>[0], input: I) =>
  api.region.appContext.execute(write, room.root, input)

/** Sends a picture of its own to the room. */
async function sendPicture(user: TestUser): Promise<Media & { id: number }> {
  const form = new FormData()
  form.set('media', new Blob([new Uint8Array(await createPicture('png', ++side, 40))]), 'dosya')
  form.set('roomId', String(room.roomId))
  const response = await api.send('/api/media/upload', { method: 'POST', body: form, headers: authorized(user) })
  const media = (await response.json()) as Media // the route's schema
  const client = await api.region.connectAs(user, room.roomId)
  const answer = await client.request('sendMessage', { roomId: room.roomId, content: '', mediaId: media.mediaId })
  return { ...media, id: 'id' in answer ? (answer.id ?? 0) : expect.unreachable(JSON.stringify(answer)) }
}

async function statusFor(user: TestUser, path: string | null): Promise<number> {
  const response = await api.send(path ?? '', { headers: authorized(user) })
  await response.arrayBuffer()
  return response.status
}
const statuses = ({ originalPath }: Media) =>
  Promise.all([room.member, room.guest, room.owner, room.root].map((user) => statusFor(user, originalPath)))

it('[SANCTION-14] hides the file of a removed message from all but root admins, until it is restored', async () => {
  const media = await sendPicture(room.member)
  expect(await statuses(media)).toEqual([200, 200, 200, 200])
  await run(removeMessage, { messageId: media.id })
  expect(await statuses(media)).toEqual([404, 404, 404, 200])
  expect(await statusFor(room.root, media.thumbnailPath)).toBe(200)
  await run(roomMediaCommands.deleteUnusedMedia, {})
  await run(restoreMessage, { messageId: media.id })
  expect(await statuses(media)).toEqual([200, 200, 200, 200])
})

it('[SANCTION-14] [SANCTION-15] deletes it with what the message had', async () => {
  const media = await sendPicture(room.member)
  await run(removeMessage, { messageId: media.id })
  await run(clearRoomMessages, { roomId: room.roomId })
  await sendPicture(room.owner)
  await run(deleteRemovedMessages, {})
  runSql(api.region, 'update removedMessage set removedAt = 0 where messageId = ?', media.id)
  await run(deleteRemovedTexts, {})
  await run(roomMediaCommands.deleteUnusedMedia, {})
  expect(await statuses(media)).toEqual([404, 404, 404, 404])
})
