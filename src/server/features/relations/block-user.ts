import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { MAX_BLOCKS } from '../../../shared/relations/rules.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { findUserByName, type UserRow, userById } from '../../model/accounts/queries.ts'
import { removeNotificationsFrom } from '../../model/notifications/transactions.ts'
import { hasBlocked } from '../../model/relations/queries.ts'
import { insertRow, query } from '../../model/schema/query.ts'
import { emitBlockChange } from './emit-block-change.ts'
import { endFollowsBetween } from './unfollow-user.ts'

export interface BlockUserInput {
  blockedUsername: string
  /** The id of the target if the caller knows it; refused when it does not have this name. */
  blockedUserId?: UserId | undefined
}

const insertBlock = insertRow('block', ['blockerId', 'blockedId', 'createdAt'])
const countBlocks = query<{ blockerId: UserId }>()((db, p) =>
  db
    .selectFrom('block')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('blockerId', '=', p('blockerId')),
)

/** Hides the target's messages from the actor. Only the two are notified. Refuses with NotFound, Forbidden or TooManyBlocks. */
export const blockUser = defineCommand({
  name: 'blockUser',
  run(tx: Transaction, actor: Actor, input: BlockUserInput): { success: true } | Refusal {
    const blocker = tx.get(userById, { id: actor.userId })
    if (!blocker) return refuse('SessionEnded')
    const blocked = findBlockTarget(tx, input)
    if (!blocked) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    if (blocked.id === blocker.id) return refuse('Forbidden', { message: 'Kendini engelleyemezsin.' })
    if (hasBlocked(tx, blocker.id, blocked.id)) return { success: true }
    const count = tx.get(countBlocks, { blockerId: blocker.id })?.count ?? 0
    if (count >= MAX_BLOCKS) return refuse('TooManyBlocks')
    tx.run(insertBlock, { blockerId: blocker.id, blockedId: blocked.id, createdAt: tx.now })
    endFollowsBetween(tx, blocker.id, blocked.id)
    emitBlockChange(tx, 'userBlocked', blocker, blocked)
    removeNotificationsFrom(tx, blocker.id, blocked.id)
    return { success: true }
  },
})

/** By id, a guest whose name was released is found too, because their messages remain. */
function findBlockTarget(tx: Transaction, { blockedUsername, blockedUserId }: BlockUserInput): UserRow | undefined {
  if (blockedUserId === undefined) return findUserByName(tx, blockedUsername)
  const user = tx.get(userById, { id: blockedUserId })
  return user?.foldedName === foldName(blockedUsername) ? user : undefined
}
