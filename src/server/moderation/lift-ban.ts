import { NOT_BANNED } from '../../shared/moderation/rules.ts'
import type { BanId, UserId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { recordAction } from '../audit/transactions.ts'
import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { rootAdminStream } from '../presence/streams.ts'
import { listActiveBansOfName } from './queries.ts'

const setLifted = query<{ id: BanId; by: UserId; now: number }>()((db, p) =>
  db
    .updateTable('ban')
    .set({ liftedAt: p('now'), liftedById: p('by') })
    .where('id', '=', p('id')),
)

/** Lifts every active ban of users who have or had this name, because two guests may have used one name. */
export const liftBan = defineWrite({
  name: 'liftBan',
  origin: 'anyRegion',
  keepResult: 'week',
  awaitsReplicaAck: true,
  retryInput: 'all',
  run(tx: Transaction, actor: Actor | null, { username }: { username: string }): { success: true } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const bans = listActiveBansOfName(tx, username, tx.now)
    if (bans.length === 0) return refuse('NotFound', { message: NOT_BANNED })
    for (const { id, ...payload } of bans) {
      tx.run(setLifted, { id, by: actor.userId, now: tx.now })
      tx.emit({ stream: rootAdminStream, name: 'banLifted', payload, actorId: actor.userId })
      recordAction(tx, { kind: 'siteBanLifted', actorId: actor.userId, targetUserId: payload.userId })
    }
    return { success: true }
  },
})
