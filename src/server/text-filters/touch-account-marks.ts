import type { UserId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { MAX_MARKS_OF_USER } from '../../shared/text-filters/limits.ts'
import type { MarkKind } from '../../shared/text-filters/linked-accounts-protocol.ts'
import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import type { GuestFingerprint } from '../moderation/queries.ts'
import { marksOfUser } from './mark-queries.ts'

const upsertMark = query<{ userId: UserId; kind: MarkKind; hash: string; now: number }>()((db, p) =>
  db
    .insertInto('accountMark')
    .values({
      userId: p('userId'),
      kind: p('kind'),
      hash: p('hash'),
      firstSeenAt: p('now'),
      lastSeenAt: p('now'),
    })
    .onConflict((conflict) => conflict.columns(['userId', 'kind', 'hash']).doUpdateSet({ lastSeenAt: p('now') })),
)
const deleteMark = query<{ userId: UserId; kind: MarkKind; hash: string }>()((db, p) =>
  db
    .deleteFrom('accountMark')
    .where('userId', '=', p('userId'))
    .where('kind', '=', p('kind'))
    .where('hash', '=', p('hash')),
)

/** Notes that the actor uses a browser and an address now. The marks that were not seen for longest make room. */
export const touchAccountMarks = defineWrite({
  name: 'touchAccountMarks',
  origin: 'anyRegion',
  keepResult: 'never',
  keepsCachedRows: true,
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(tx: Transaction, actor: Actor | null, { browserHash, addressHash }: GuestFingerprint): { noted: true } | Refusal {
    if (!actor) return refuse('SessionEnded')
    if (browserHash !== null) touchMark(tx, actor.userId, 'browser', browserHash)
    if (addressHash !== null) touchMark(tx, actor.userId, 'address', addressHash)
    return { noted: true }
  },
})

function touchMark(tx: Transaction, userId: UserId, kind: MarkKind, hash: string): void {
  tx.run(upsertMark, { userId, kind, hash, now: tx.now })
  const others = tx.all(marksOfUser, { userId }).filter((mark) => mark.kind === kind && mark.hash !== hash)
  for (const mark of others.slice(MAX_MARKS_OF_USER - 1)) tx.run(deleteMark, { userId, kind, hash: mark.hash })
}
