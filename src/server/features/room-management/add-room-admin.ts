import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { MAX_ROOM_ADMINS } from '../../../shared/room-management/limits.ts'
import { GUEST_ADMIN_TEXT, OWNER_ADMIN_TEXT } from '../../../shared/room-management/texts.ts'
import type { RoomAdmin } from '../../../shared/rooms/protocol.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { userById } from '../../model/accounts/queries.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { liftRestrictionsOf } from '../../model/restrictions/transactions.ts'
import { findOwnedRoom } from '../../model/rooms/access.ts'
import { roomAdminByUser } from '../../model/rooms/queries.ts'
import { query } from '../../model/schema/query.ts'
import { insertAdmin, toRoomAdmin } from './room-admins.ts'

const countRoomAdmins = query<{ roomId: RoomId }>()((db, p) =>
  db
    .selectFrom('roomAdmin')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('roomId', '=', p('roomId')),
)

/** Makes a member an admin of a room. Refuses with RoomNotFound, Forbidden, NotFound or TooManyRoomAdmins. */
export const addRoomAdmin = defineCommand({
  name: 'addRoomAdmin',
  awaitsReplicaAck: true,
  run(
    tx: Transaction,
    actor: Actor,
    { roomId, userId }: { roomId: RoomId; userId: UserId },
  ): { success: true; admin: RoomAdmin } | Refusal {
    const room = findOwnedRoom(tx, actor, roomId)
    if (room instanceof Refusal) return room
    const user = tx.get(userById, { id: userId })
    if (!user || user.nameReleasedAt !== null) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    if (user.isGuest === 1) return refuse('Forbidden', { message: GUEST_ADMIN_TEXT })
    if (user.id === room.ownerId) return refuse('Forbidden', { message: OWNER_ADMIN_TEXT })
    if (!tx.get(roomAdminByUser, { roomId, userId })) {
      if ((tx.get(countRoomAdmins, { roomId })?.count ?? 0) >= MAX_ROOM_ADMINS) return refuse('TooManyRoomAdmins')
      // Staff are neither banned from their room nor muted in it, also when they are staff no longer.
      liftRestrictionsOf(tx, actor, userId, { kinds: ['roomBan', 'mute'], roomId, ofOthers: false })
      insertAdmin(tx, room, user)
      recordAction(tx, { kind: 'roomAdminAdded', actorId: actor.userId, targetUserId: userId, roomId })
    }
    return { success: true, admin: toRoomAdmin(user) }
  },
})
