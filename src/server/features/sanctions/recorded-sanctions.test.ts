import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Command } from '../../kernel/database/commands/define-command.ts'
import { query } from '../../model/schema/query.ts'
import { createOwnedRoom, type OwnedRoom } from '../../testing/fixtures/owned-room.ts'
import { openTestRegion, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'
import { confirmWarning } from './confirm-warning.ts'
import { liftMute } from './lift-mute.ts'
import { muteUser } from './mute-user.ts'
import { removeMessage, restoreMessage } from './remove-message.ts'
import { warnUser } from './warn-user.ts'

const allActions = query()((db) =>
  db.selectFrom('actionEntry').select(['kind', 'actorId', 'targetId', 'roomId', 'reason', 'endsAt']).orderBy('id'),
)

let region: TestRegion
let room: OwnedRoom
beforeAll(async () => {
  region = await openTestRegion({ MEYDAN_JOIN_WAIT_MS: '0' })
  room = await createOwnedRoom(region)
})
afterAll(() => region.destroy())

async function run<I extends object, A extends object>(
  write: Command<I, A>,
  who: TestUser,
  input: NoInfer<I>,
): Promise<A> {
  const clientId = crypto.randomUUID()
  const answer = await region.appContext.execute(write, who, input, { clientId })
  if (answer instanceof Refusal) return expect.unreachable(answer.body.code)
  // A retry records nothing.
  expect(await region.appContext.execute(write, who, input, { clientId })).toEqual(answer)
  return answer
}

it('[SANCTION-18] records what is done once, with who, whom, where, why and until when', async () => {
  const { root, owner, admin, member, roomId } = room
  const before = region.appContext.reader.all(allActions).length
  const { warningId } = await run(warnUser, root, { username: member.username, text: 'Kurallara uy.' })
  await run(confirmWarning, member, { warningId })
  const terms = { username: member.username, reason: 'Hakaret' }
  await run(muteUser, owner, { ...terms, roomId, duration: '1hr' })
  await run(muteUser, root, { ...terms, roomId: null, duration: 'indefinite' })
  await run(liftMute, root, { username: member.username, roomId: null })
  await run(liftMute, admin, { username: member.username, roomId })
  const client = await region.connectAs(member, roomId)
  const sent = await client.request('sendMessage', { roomId, content: 'Söz' })
  const messageId = 'id' in sent ? (sent.id ?? 0) : 0
  await run(removeMessage, admin, { messageId })
  await run(restoreMessage, owner, { messageId })

  const [targetId, none] = [member.userId, { reason: null, endsAt: null }]
  expect(region.appContext.reader.all(allActions).slice(before)).toEqual([
    { kind: 'userWarned', actorId: root.userId, targetId, roomId: null, reason: 'Kurallara uy.', endsAt: null },
    { kind: 'warningConfirmed', actorId: targetId, targetId, roomId: null, ...none },
    { kind: 'roomMute', actorId: owner.userId, targetId, roomId, reason: 'Hakaret', endsAt: expect.any(Number) },
    { kind: 'siteMute', actorId: root.userId, targetId, roomId: null, reason: 'Hakaret', endsAt: null },
    { kind: 'muteLifted', actorId: root.userId, targetId, roomId: null, ...none },
    { kind: 'muteLifted', actorId: admin.userId, targetId, roomId, ...none },
    { kind: 'messageRemoved', actorId: admin.userId, targetId, roomId, ...none },
    { kind: 'messageRestored', actorId: owner.userId, targetId, roomId, ...none },
  ])
})
