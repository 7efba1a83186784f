import type { RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { RoomPreference } from '../../../shared/rooms/rules.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { findManagedRoom } from '../../model/rooms/access.ts'
import { query } from '../../model/schema/query.ts'

export interface SetRoomPreferences {
  roomId: RoomId
  messagePreference?: RoomPreference
  mediaPreference?: RoomPreference
}

const updatePreferences = query<{
  id: RoomId
  messagePreference: RoomPreference
  mediaPreference: RoomPreference
  now: number
}>()((db, p) =>
  db
    .updateTable('room')
    .set({
      messagePreference: p('messagePreference'),
      mediaPreference: p('mediaPreference'),
      updatedAt: p('now'),
    })
    .where('id', '=', p('id')),
)

/** Sets who may write to a room, who may send media to it, or both. Refuses with RoomNotFound or Forbidden. */
export const setRoomPreferences = defineCommand({
  name: 'setRoomPreferences',
  run(tx: Transaction, actor: Actor | null, input: SetRoomPreferences): { success: true } | Refusal {
    if (!actor) return refuse('SessionEnded')
    const room = findManagedRoom(tx, actor, input.roomId)
    if (room instanceof Refusal) return room
    const { messagePreference = room.messagePreference, mediaPreference = room.mediaPreference } = input
    const isChange = messagePreference !== room.messagePreference || mediaPreference !== room.mediaPreference
    if (!isChange) return { success: true }
    tx.run(updatePreferences, { id: room.id, messagePreference, mediaPreference, now: tx.now })
    const payload = { roomId: room.id, messagePreference, mediaPreference }
    tx.emit({ stream: roomStream(room.id), name: 'roomPreferencesUpdated', payload, actorId: actor.userId })
    const details = { messages: messagePreference, media: mediaPreference }
    recordAction(tx, { kind: 'roomRightsChanged', actorId: actor.userId, roomId: room.id, details })
    return { success: true }
  },
})
