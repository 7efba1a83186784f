import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { listWithoutSkeleton } from '../../model/name-skeletons/queries.ts'
import { storeRoomSkeleton, storeUserSkeleton } from '../../model/name-skeletons/transactions.ts'

/** Keeps each step short, so that other commands do not wait behind it. */
const BATCH_SIZE = 200

/** One step of storing the skeletons of names that have none: of older rows, and of rows of regions with older code. */
export const fillSkeletons = defineCommand({
  name: 'fillSkeletons',
  origin: 'primary',
  run(tx: Transaction): { removed: number } {
    const { users, rooms } = listWithoutSkeleton(tx, BATCH_SIZE)
    for (const { id, name } of users) storeUserSkeleton(tx, id, name)
    for (const { id, name } of rooms) storeRoomSkeleton(tx, id, name)
    return { removed: users.length + rooms.length }
  },
})
