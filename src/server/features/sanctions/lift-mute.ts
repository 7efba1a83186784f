import type { RoomId } from '../../../shared/protocol/ids.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { liftByName } from '../../model/moderation/restrict.ts'

export interface LiftMute {
  username: string
  /** null: the whole site. */
  roomId: RoomId | null
}

/** Lifts the mutes of a name in one place. Refuses with Forbidden, RoomNotFound or NotFound. */
export const liftMute = defineCommand({
  name: 'liftMute',
  awaitsReplicaAck: true,
  run: (tx: Transaction, actor: Actor | null, { username, roomId }: LiftMute) =>
    liftByName(tx, actor, username, { kinds: ['mute'], roomId }),
})
