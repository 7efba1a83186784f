import type { MessageId, RoomId, UserId } from '../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Message } from '../../shared/room-chat/message.ts'
import { checkSendLimits, normaliseMessage } from '../../shared/room-chat/rules.ts'
import { type UserRow, userById } from '../accounts/queries.ts'
import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import type { Authored } from '../live/visibility.ts'
import { roomById } from '../rooms/queries.ts'
import { roomStream } from '../rooms/streams.ts'
import { isExemptFromChatLimits } from './access.ts'
import { emitMentionNotifications, resolveMentions } from './mentions.ts'
import { latestMessageOfRoom, quoteOf } from './queries.ts'

export interface SendMessage {
  roomId: RoomId
  content: string
  /** The message that this one answers; whether it is there is seen when it is shown. */
  replyTo?: { id: MessageId }
  clientId: string
  /** How long the sender has been in the room, as their region measures it; null when they are not in it. */
  inRoomForMs: number | null
}

type LatestMessage = { senderId: UserId; consecutiveCount: number; createdAt: number }
type SendMessageAnswer = { success: true; id?: MessageId; createdAt?: number }

const insertMessage = query<{
  roomId: RoomId
  senderId: UserId
  content: string
  consecutiveCount: number
  clientId: string
  createdAt: number
  replyToId: MessageId | null
}>()((db, p) =>
  db.insertInto('message').values({
    roomId: p('roomId'),
    senderId: p('senderId'),
    content: p('content'),
    consecutiveCount: p('consecutiveCount'),
    audience: null,
    clientId: p('clientId'),
    createdAt: p('createdAt'),
    replyToId: p('replyToId'),
  }),
)

/** Says something in a room: verdict, row, events, answer. What folds to nothing is ignored. */
export const sendMessage = defineWrite({
  name: 'sendMessage',
  origin: 'anyRegion',
  keepResult: 'forever',
  awaitsReplicaAck: false,
  // A retry comes later, when the sender has been in the room for longer.
  retryInput: ['roomId', 'content', 'replyTo'],
  run(tx: Transaction, actor: Actor, input: SendMessage): SendMessageAnswer | Refusal {
    const said = normaliseMessage(input.content)
    if (!said) return { success: true }
    const { roomId } = input
    const last = tx.get(latestMessageOfRoom, { roomId })
    const consecutiveCount = checkChatLimits(tx, actor, input, last)
    if (consecutiveCount instanceof Refusal) return consecutiveCount
    const sender = tx.get(userById, { id: actor.userId })
    if (!sender) return refuse('SessionEnded')

    const { content, mentioned } = resolveMentions(tx, said)
    // A clock that was set back must not put what is new above what is there.
    const createdAt = Math.max(tx.now, last?.createdAt ?? 0)
    const message = storeMessage(tx, input, { content, consecutiveCount, createdAt }, sender)
    tx.emit({ stream: roomStream(roomId), name: 'message', payload: message, actorId: sender.id })
    emitMentionNotifications(tx, mentioned, message)
    return { success: true, id: message.id, createdAt }
  },
})

/** Writes the row; the answer is the message as everybody in the room hears it. */
function storeMessage(
  tx: Transaction,
  { roomId, clientId, replyTo }: SendMessage,
  said: { content: string; consecutiveCount: number; createdAt: number },
  sender: UserRow,
): Message {
  const row = { ...said, roomId, clientId, senderId: sender.id, replyToId: replyTo?.id ?? null }
  const { lastId: id } = tx.run(insertMessage, row)
  return {
    id,
    roomId,
    content: said.content,
    createdAt: said.createdAt,
    senderId: sender.id,
    senderUsername: sender.username,
    senderGender: sender.gender,
    senderAvatarUrl: sender.avatarUrl,
    senderIsGuest: sender.isGuest === 1,
    senderRole: sender.role,
    clientId,
    ...(replyTo && { replyTo: quoteOf(tx, { roomId, id: replyTo.id, answerId: id }, isPublic) }),
  }
}

/** The event is one for everybody, so it quotes only what everybody may see. */
function isPublic({ audience }: Authored): boolean {
  return audience === null
}

/** The place of this message in its sender's run, or why it may not be sent now. */
function checkChatLimits(
  tx: Transaction,
  actor: Actor,
  { roomId, inRoomForMs }: SendMessage,
  last: LatestMessage | undefined,
) {
  const room = tx.get(roomById, { id: roomId })
  if (!room || room.isActive === 0) return refuse('RoomNotFound')
  if (inRoomForMs === null) return refuse('NotInRoom')
  const verdict = checkSendLimits({
    exempt: isExemptFromChatLimits(tx, actor, room),
    inRoomForMs,
    last: last
      ? {
          isOwn: last.senderId === actor.userId,
          consecutiveCount: last.consecutiveCount,
          ageMs: tx.now - last.createdAt,
        }
      : null,
  })
  return 'refused' in verdict ? refuse(verdict.refused, { waitMs: verdict.waitMs }) : verdict.consecutiveCount
}
