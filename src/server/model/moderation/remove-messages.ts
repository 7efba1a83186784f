import type { MessageId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { deleteMessages } from '../conversations/room-transactions.ts'
import { hasBeenGhost } from '../restrictions/queries.ts'
import { insertRow, query } from '../schema/query.ts'

/** Takes the writer a few milliseconds per step. */
const BATCH_SIZE = 500

const newestMessage = query()((db) => db.selectFrom('message').select((eb) => eb.fn.max<number | null>('id').as('id')))
const roomsOfSender = query<{ senderId: UserId }>()((db, p) =>
  db.selectFrom('message').select('roomId').distinct().where('senderId', '=', p('senderId')).orderBy('roomId'),
)
const insertRemoval = insertRow('removal', ['roomId', 'senderId', 'upToId'])
const allRemovals = query()((db) => db.selectFrom('removal').selectAll().orderBy('id'))
const allRoomSenderRemovals = query()((db) => db.selectFrom('roomSenderRemoval').selectAll().orderBy('id'))
const deleteRoomSenderRemoval = query<{ id: number }>()((db, p) =>
  db.deleteFrom('roomSenderRemoval').where('id', '=', p('id')),
)
const deleteRemoval = query<{ id: number }>()((db, p) => db.deleteFrom('removal').where('id', '=', p('id')))

const shownMessage = query<{ roomId: RoomId; senderId: UserId }>()((db, p) =>
  db
    .selectFrom('message')
    .select('id')
    .where('senderId', '=', p('senderId'))
    .where('roomId', '=', p('roomId'))
    .where('audience', 'is', null)
    .limit(1),
)

const newestMessageOfSender = query<{ roomId: RoomId; senderId: UserId }>()((db, p) =>
  db
    .selectFrom('message')
    .select((eb) => eb.fn.max<number | null>('id').as('id'))
    .where('senderId', '=', p('senderId'))
    .where('roomId', '=', p('roomId')),
)
const insertRoomSenderRemoval = insertRow('roomSenderRemoval', ['roomId', 'senderId', 'upToId'])

type DeletionRange = { upToId: MessageId; newestId: MessageId; limit: number }

// SQLite would reuse the id of a deleted newest row, so the newest message is deleted only once there is a newer one.
const removedRoomMessages = query<DeletionRange & { roomId: RoomId }>()((db, p) =>
  db
    .selectFrom('message')
    .select(['id', 'senderId', 'clientId', 'createdAt'])
    .where('roomId', '=', p('roomId'))
    .where('id', '<=', p('upToId'))
    .where('id', '<', p('newestId'))
    .limit(p('limit')),
)
const removedSenderMessages = query<DeletionRange & { senderId: UserId }>()((db, p) =>
  db
    .selectFrom('message')
    .select(['id', 'senderId', 'clientId', 'createdAt'])
    .where('senderId', '=', p('senderId'))
    .where('id', '<=', p('upToId'))
    .where('id', '<', p('newestId'))
    .limit(p('limit')),
)

const removedSenderMessagesInRoom = query<DeletionRange & { roomId: RoomId; senderId: UserId }>()((db, p) =>
  db
    .selectFrom('message')
    .select(['id', 'senderId', 'clientId', 'createdAt'])
    .where('senderId', '=', p('senderId'))
    .where('roomId', '=', p('roomId'))
    .where('id', '<=', p('upToId'))
    .where('id', '<', p('newestId'))
    .limit(p('limit')),
)

/** Hides all current messages of a room at once; `deleteRemovedMessages` deletes them later. */
export function removeRoomMessages(tx: Transaction, roomId: RoomId): void {
  recordRemoval(tx, { roomId, senderId: null })
  tx.emit({ stream: roomStream(roomId), name: 'clearMessages', payload: { roomId } })
}

/**
 * Hides all current messages of a sender at once, and notifies each room that has any. Where all were those of a ghost, only
 * the ghost and root admins are notified.
 */
export function removeUserMessages(tx: Transaction, { id: userId, username }: { id: UserId; username: string }): void {
  const rooms = tx.all(roomsOfSender, { senderId: userId })
  if (rooms.length === 0) return
  recordRemoval(tx, { roomId: null, senderId: userId })
  const wasGhost = hasBeenGhost(tx, userId)
  for (const { roomId } of rooms) {
    const payload = { roomId, userId, username }
    const audience = wasGhost && !hasShownMessage(tx, roomId, userId) ? 'actor' : null
    tx.emit({ stream: roomStream(roomId), name: 'removeBannedMessages', payload, actorId: userId, audience })
  }
}

/** Hides all current messages of a sender in one room at once; `deleteRemovedMessages` deletes them later. */
export function removeMessagesInRoom(
  tx: Transaction,
  roomId: RoomId,
  { id: senderId, username }: { id: UserId; username: string },
): void {
  const upToId = tx.get(newestMessageOfSender, { roomId, senderId })?.id ?? null
  if (upToId === null) return
  tx.run(insertRoomSenderRemoval, { roomId, senderId, upToId })
  const payload = { roomId, userId: senderId, username }
  // Where all of them were a ghost's, nobody else knows of any.
  const audience = hasBeenGhost(tx, senderId) && !hasShownMessage(tx, roomId, senderId) ? 'actor' : null
  tx.emit({ stream: roomStream(roomId), name: 'removeBannedMessages', payload, actorId: senderId, audience })
}

/** Whether a sender has a message in a room that was not written as a ghost. */
function hasShownMessage(reader: Pick<Reader, 'get'>, roomId: RoomId, senderId: UserId): boolean {
  return reader.get(shownMessage, { roomId, senderId }) !== undefined
}

function recordRemoval(tx: Transaction, scope: { roomId: RoomId | null; senderId: UserId | null }): void {
  const upToId = tx.get(newestMessage)?.id ?? 0
  if (upToId > 0) tx.run(insertRemoval, { ...scope, upToId })
}

/** One step of deleting hidden messages. A room can hold millions, so a step is bounded and later commands do not wait long. */
export const deleteRemovedMessages = defineCommand({
  name: 'deleteRemovedMessages',
  origin: 'primary',
  keepResult: 'never',
  run(tx: Transaction): { removed: number } {
    const newestId = tx.get(newestMessage)?.id ?? 0
    let removed = 0
    for (const { id, roomId, senderId, upToId } of tx.all(allRemovals)) {
      const range = { upToId, newestId, limit: BATCH_SIZE - removed }
      if (roomId !== null) removed += deleteMessages(tx, tx.all(removedRoomMessages, { ...range, roomId }))
      if (senderId !== null) removed += deleteMessages(tx, tx.all(removedSenderMessages, { ...range, senderId }))
      if (removed === BATCH_SIZE) break
      if (upToId < newestId) tx.run(deleteRemoval, { id })
    }
    if (removed === BATCH_SIZE) return { removed }
    for (const { id, roomId, senderId, upToId } of tx.all(allRoomSenderRemovals)) {
      const range = { upToId, newestId, limit: BATCH_SIZE - removed, roomId, senderId }
      removed += deleteMessages(tx, tx.all(removedSenderMessagesInRoom, range))
      if (removed === BATCH_SIZE) break
      if (upToId < newestId) tx.run(deleteRoomSenderRemoval, { id })
    }
    return { removed }
  },
})
