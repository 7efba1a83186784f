import type { UserId } from '../../../shared/protocol/ids.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { userById } from '../../model/accounts/queries.ts'
import { query } from '../../model/schema/query.ts'
import type { BlockEffect } from '../../model/schema/relations.ts'
import { emitToBlocked } from './emit-block-change.ts'
import { endFollowsBetween } from './unfollow-user.ts'

const blocksOfGhost = query<{ blockerId: UserId }>()((db, p) =>
  db
    .selectFrom('block')
    .select(['blockedId', 'effect'])
    .where('blockerId', '=', p('blockerId'))
    .where('effect', '!=', 'both'),
)
const setEffect = query<{ blockerId: UserId; blockedId: UserId; effect: BlockEffect }>()((db, p) =>
  db
    .updateTable('block')
    .set({ effect: p('effect') })
    .where('blockerId', '=', p('blockerId'))
    .where('blockedId', '=', p('blockedId')),
)
const deleteBlock = query<{ blockerId: UserId; blockedId: UserId }>()((db, p) =>
  db.deleteFrom('block').where('blockerId', '=', p('blockerId')).where('blockedId', '=', p('blockedId')),
)

/** A ghost ban has ended: the blocks that the user has made and lifted during it are in effect for the others from now on. */
export function endGhostBlocksOf(tx: Transaction, blockerId: UserId): void {
  const blocker = tx.get(userById, { id: blockerId })
  if (!blocker) return
  for (const { blockedId, effect } of tx.all(blocksOfGhost, { blockerId })) {
    const blocked = tx.get(userById, { id: blockedId })
    if (!blocked) continue
    if (effect === 'blocker') {
      tx.run(setEffect, { blockerId, blockedId, effect: 'both' })
      endFollowsBetween(tx, blockerId, blockedId)
    } else tx.run(deleteBlock, { blockerId, blockedId })
    emitToBlocked(tx, effect === 'blocker' ? 'userBlocked' : 'userUnblocked', blocker, blocked)
  }
}
