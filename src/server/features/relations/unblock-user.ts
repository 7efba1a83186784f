import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { type UserRow, userById } from '../../model/accounts/queries.ts'
import { hasBlocked } from '../../model/relations/queries.ts'
import { query } from '../../model/schema/query.ts'
import type { BlockUserInput } from './block-user.ts'
import { emitBlockChange } from './emit-block-change.ts'

const blockedUsersByName = query<{ blockerId: UserId; foldedName: string }>()((db, p) =>
  db
    .selectFrom('block')
    .innerJoin('user', 'user.id', 'block.blockedId')
    .selectAll('user')
    .where('block.blockerId', '=', p('blockerId'))
    .where('user.foldedName', '=', p('foldedName')),
)
const deleteBlock = query<{ blockerId: UserId; blockedId: UserId }>()((db, p) =>
  db.deleteFrom('block').where('blockerId', '=', p('blockerId')).where('blockedId', '=', p('blockedId')),
)
const deleteBlocksByBlocker = query<{ blockerId: UserId }>()((db, p) =>
  db.deleteFrom('block').where('blockerId', '=', p('blockerId')),
)

/** Lifts the block of this user, or of every blocked user who has or had this name: two guests may have used one name. */
export const unblockUser = defineCommand({
  name: 'unblockUser',
  run(tx: Transaction, actor: Actor, input: BlockUserInput): { success: true } | Refusal {
    const blocker = tx.get(userById, { id: actor.userId })
    if (!blocker) return refuse('SessionEnded')
    for (const blocked of findBlockedUsers(tx, blocker.id, input)) {
      tx.run(deleteBlock, { blockerId: blocker.id, blockedId: blocked.id })
      emitBlockChange(tx, 'userUnblocked', blocker, blocked)
    }
    return { success: true }
  },
})

/** By id, a user is found even if the name has changed. */
function findBlockedUsers(
  tx: Transaction,
  blockerId: UserId,
  { blockedUsername, blockedUserId }: BlockUserInput,
): UserRow[] {
  if (blockedUserId === undefined)
    return tx.all(blockedUsersByName, { blockerId, foldedName: foldName(blockedUsername) })
  const blocked = hasBlocked(tx, blockerId, blockedUserId) ? tx.get(userById, { id: blockedUserId }) : undefined
  return blocked ? [blocked] : []
}

/** Deletes the blocks of a guest whose name was released: no session can use them again. */
export function deleteAllBlocksOf(tx: Transaction, blockerId: UserId): void {
  tx.run(deleteBlocksByBlocker, { blockerId })
}
