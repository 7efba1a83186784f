import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { foldName } from '../../shared/text/turkish.ts'
import { userById } from '../accounts/queries.ts'
import { query } from '../database/query.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import type { Whom } from './block-user.ts'
import { tellBoth } from './tell-both.ts'

const blockedOfName = query<{ blockerId: number; foldedName: string }>()((db, p) =>
  db
    .selectFrom('block')
    .innerJoin('user', 'user.id', 'block.blockedId')
    .selectAll('user')
    .where('block.blockerId', '=', p('blockerId'))
    .where('user.foldedName', '=', p('foldedName')),
)
const deleteBlock = query<{ blockerId: number; blockedId: number }>()((db, p) =>
  db.deleteFrom('block').where('blockerId', '=', p('blockerId')).where('blockedId', '=', p('blockedId')),
)
const deleteBlocksOf = query<{ blockerId: number }>()((db, p) =>
  db.deleteFrom('block').where('blockerId', '=', p('blockerId')),
)

/** Lifts the block of whoever has or had this name: two guests of one name may have been blocked. */
export function unblockUser(
  tx: Transaction,
  actor: Actor,
  { blockedUsername, blockedUserId }: Whom,
): { success: true } | Refusal {
  const blocker = tx.get(userById, { id: actor.userId })
  if (!blocker) return refuse('SessionEnded')
  const ofName = tx.all(blockedOfName, { blockerId: blocker.id, foldedName: foldName(blockedUsername) })
  for (const blocked of ofName) {
    if (blockedUserId !== undefined && blocked.id !== blockedUserId) continue
    tx.run(deleteBlock, { blockerId: blocker.id, blockedId: blocked.id })
    tellBoth(tx, 'userUnblocked', blocker, blocked)
  }
  return { success: true }
}

/** Somebody will not come back: whom they had blocked is nobody's business any more. */
export function forgetBlocksOf(tx: Transaction, blockerId: number): void {
  tx.run(deleteBlocksOf, { blockerId })
}
