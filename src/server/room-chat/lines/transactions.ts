import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { UserRow } from '../../accounts/queries.ts'
import { query } from '../../database/query.ts'
import type { Transaction } from '../../database/transact.ts'
import { roomStream } from '../../rooms/streams.ts'
import { latestMessageOfRoom } from '../queries.ts'

const insertLine = query<{
  roomId: RoomId
  senderId: UserId
  content: string
  consecutiveCount: number
  clientId: string
  createdAt: number
}>()((db, p) =>
  db.insertInto('message').values({
    roomId: p('roomId'),
    senderId: p('senderId'),
    content: p('content'),
    consecutiveCount: p('consecutiveCount'),
    audience: null,
    clientId: p('clientId'),
    createdAt: p('createdAt'),
    replyToId: null,
  }),
)

/**
 * Adds a message of this sender whose text another feature has written, such as the line of a gift. Chat limits neither
 * refuse nor count it.
 */
export function postLine(
  tx: Transaction,
  sender: UserRow,
  { roomId, content, clientId }: { roomId: RoomId; content: string; clientId: string },
): void {
  const latest = tx.get(latestMessageOfRoom, { roomId })
  const consecutiveCount = latest?.senderId === sender.id ? latest.consecutiveCount : 0
  // As in send-message.ts: a clock that was set back must not date it before the previous message.
  const createdAt = Math.max(tx.now, latest?.createdAt ?? 0)
  const row = { roomId, senderId: sender.id, content, consecutiveCount, clientId, createdAt }
  const { lastId: id } = tx.run(insertLine, row)
  const payload = {
    id,
    roomId,
    content,
    createdAt,
    senderId: sender.id,
    senderUsername: sender.username,
    senderGender: sender.gender,
    senderAvatarUrl: sender.avatarUrl,
    senderIsGuest: sender.isGuest === 1,
    senderRole: sender.role,
    clientId,
  }
  tx.emit({ stream: roomStream(roomId), name: 'message', payload, actorId: sender.id })
}
