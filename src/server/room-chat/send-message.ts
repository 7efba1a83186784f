import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Message } from '../../shared/room-chat/message.ts'
import { chatVerdict, foldMessage } from '../../shared/room-chat/rules.ts'
import { userById } from '../accounts/queries.ts'
import { query } from '../database/query.ts'
import type { Actor, Moment, Transaction } from '../database/transact.ts'
import { roomById } from '../rooms/queries.ts'
import { isExempt } from './access.ts'
import { lastMessage } from './queries.ts'

export interface SendMessage {
  roomId: number
  content: string
  clientId: string
}

type Sent = { success: true; id?: number; createdAt?: number }

const insertMessage = query<{
  roomId: number
  senderId: number
  content: string
  run: number
  clientId: string
  createdAt: number
}>()((db, p) =>
  db.insertInto('message').values({
    roomId: p('roomId'),
    senderId: p('senderId'),
    content: p('content'),
    run: p('run'),
    audience: null,
    clientId: p('clientId'),
    createdAt: p('createdAt'),
  }),
)

/** Says something in a room: verdict, row, event, answer. What folds to nothing is ignored. */
export function sendMessage(tx: Transaction, actor: Actor, input: SendMessage, moment: Moment): Sent | Refusal {
  const content = foldMessage(input.content)
  if (!content) return { success: true }
  const run = nextRun(tx, actor, input.roomId, moment)
  if (typeof run !== 'number') return run
  const sender = tx.get(userById, { id: actor.userId })
  if (!sender) return refuse('SessionEnded')

  const { roomId, clientId } = input
  const row = { roomId, senderId: sender.id, content, run, clientId, createdAt: tx.now }
  const { lastId: id } = tx.run(insertMessage, row)
  const message: Message = {
    id,
    roomId,
    content,
    createdAt: tx.now,
    senderId: sender.id,
    senderUsername: sender.username,
    senderGender: sender.gender,
    senderAvatarUrl: sender.avatarUrl,
    senderIsGuest: sender.isGuest === 1,
    senderRole: sender.role,
    clientId,
  }
  tx.emit({ stream: `room:${roomId}`, name: 'message', payload: message, actorId: sender.id })
  return { success: true, id, createdAt: tx.now }
}

/** The place of this message in its sender's run, or why it may not be sent now. */
function nextRun(tx: Transaction, actor: Actor, roomId: number, moment: Moment): number | Refusal {
  const room = tx.get(roomById, { id: roomId })
  if (!room || room.isActive === 0) return refuse('RoomNotFound')
  if (moment.inRoomForMs === null) return refuse('NotInRoom')
  const last = tx.get(lastMessage, { roomId })
  const verdict = chatVerdict({
    exempt: isExempt(tx, actor, room),
    inRoomForMs: moment.inRoomForMs,
    last: last ? { isOwn: last.senderId === actor.userId, run: last.run, ageMs: tx.now - last.createdAt } : null,
  })
  return 'refused' in verdict ? refuse(verdict.refused, { waitMs: verdict.waitMs }) : verdict.run
}
