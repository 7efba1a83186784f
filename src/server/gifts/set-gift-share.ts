import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { recordAction } from '../audit/transactions.ts'
import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { rootAdminStream } from '../presence/streams.ts'
import { getSharePercent } from './queries.ts'

const updateShare = query<{ sharePercent: number }>()((db, p) =>
  db.updateTable('giftTerms').set({ sharePercent: p('sharePercent') }),
)

type Share = { sharePercent: number }

/** Sets the recipients' part of a gift's price. Only root admins; the same value emits nothing. */
export const setGiftShare = defineWrite({
  name: 'setGiftShare',
  origin: 'anyRegion',
  keepResult: 'week',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(tx: Transaction, actor: Actor | null, { sharePercent }: Share): ({ success: true } & Share) | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const sharePercentBefore = getSharePercent(tx)
    if (sharePercentBefore !== sharePercent) {
      tx.run(updateShare, { sharePercent })
      const payload = { sharePercent }
      tx.emit({ stream: rootAdminStream, name: 'giftShareUpdated', payload, actorId: actor.userId })
      const details = { sharePercent, sharePercentBefore }
      recordAction(tx, { kind: 'giftShareChanged', actorId: actor.userId, details })
    }
    return { success: true, sharePercent }
  },
})
