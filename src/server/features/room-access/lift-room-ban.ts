import type { RoomId } from '../../../shared/protocol/ids.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { liftByName } from '../../model/moderation/restrict.ts'

/** Lifts the bans of a name from a room. For its staff; refuses with RoomNotFound, Forbidden or NotFound. */
export const liftRoomBan = defineCommand({
  name: 'liftRoomBan',
  awaitsReplicaAck: true,
  run: (tx: Transaction, actor: Actor | null, { id: roomId, username }: { id: RoomId; username: string }) =>
    liftByName(tx, actor, username, { kinds: ['roomBan'], roomId }),
})
