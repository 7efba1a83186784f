import type { BanDuration, BanReason } from '../../../shared/moderation/protocol.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { RoomBan } from '../../../shared/room-access/ban-protocol.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { restrictByName } from '../../model/moderation/restrict.ts'
import { toRoomBan } from '../../model/restrictions/queries.ts'

export interface BanFromRoom {
  id: RoomId
  username: string
  duration: BanDuration
  banReason: BanReason
}

/**
 * Bans a user from a room, on which every region takes the user out of it (room-exclusion.ts). For its staff; refuses with
 * RoomNotFound, Forbidden or NotFound.
 */
export const banFromRoom = defineCommand({
  name: 'banFromRoom',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, input: BanFromRoom): { success: true; ban: RoomBan } | Refusal {
    const { id: roomId, username, duration, banReason: reason } = input
    const ban = restrictByName(tx, actor, { username }, { kind: 'roomBan', roomId, duration, reason })
    return ban instanceof Refusal ? ban : { success: true, ban: toRoomBan(ban) }
  },
})
