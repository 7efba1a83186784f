import type { BanDuration } from '../../../shared/moderation/protocol.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Mute } from '../../../shared/sanctions/protocol.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { restrictByName } from '../../model/moderation/restrict.ts'
import { toMute } from '../../model/restrictions/queries.ts'

export interface MuteUser {
  username: string
  /** null: the whole site. */
  roomId: RoomId | null
  duration: BanDuration
  reason: string
}

/** Mutes the holder of a name on the site or in a room. Refuses with Forbidden, RoomNotFound or NotFound. */
export const muteUser = defineCommand({
  name: 'muteUser',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, { username, ...terms }: MuteUser): { success: true; mute: Mute } | Refusal {
    const mute = restrictByName(tx, actor, { username }, { kind: 'mute', ...terms })
    return mute instanceof Refusal ? mute : { success: true, mute: toMute(mute) }
  },
})
