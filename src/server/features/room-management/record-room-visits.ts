import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { MAX_KEPT_VISITS } from '../../../shared/room-management/limits.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { userById } from '../../model/accounts/queries.ts'
import { roomById } from '../../model/rooms/queries.ts'
import { query } from '../../model/schema/query.ts'

export interface RoomVisit {
  roomId: RoomId
  userId: UserId
  visitedAt: number
}

const upsertVisit = query<Record<keyof RoomVisit, number>>()((db, p) =>
  db
    .insertInto('roomVisit')
    .values({ roomId: p('roomId'), userId: p('userId'), visitedAt: p('visitedAt') })
    .onConflict((conflict) => conflict.columns(['roomId', 'userId']).doUpdateSet({ visitedAt: p('visitedAt') })),
)
const oldestKeptVisit = query<{ roomId: RoomId; kept: number }>()((db, p) =>
  db
    .selectFrom('roomVisit')
    .select('visitedAt')
    .where('roomId', '=', p('roomId'))
    .orderBy('visitedAt', 'desc')
    .limit(1)
    .offset(p('kept')),
)
const deleteVisitsUpTo = query<{ roomId: RoomId; visitedAt: number }>()((db, p) =>
  db.deleteFrom('roomVisit').where('roomId', '=', p('roomId')).where('visitedAt', '<=', p('visitedAt')),
)

/** Stores who has entered rooms, as a region has gathered it, and keeps the latest visits of each room. */
export const recordRoomVisits = defineCommand({
  name: 'recordRoomVisits',
  keepResult: 'never',
  keepsCachedRows: true,
  run(tx: Transaction, _actor: Actor | null, { visits }: { visits: RoomVisit[] }): { recorded: number } {
    const known = visits.filter(
      ({ roomId, userId }) =>
        tx.cached.get(roomById, { id: roomId }) && tx.cached.get(userById, { id: userId })?.isGhost === 0,
    )
    for (const { roomId, userId, visitedAt } of known) tx.run(upsertVisit, { roomId, userId, visitedAt })
    for (const roomId of new Set(known.map((visit) => visit.roomId))) {
      const first = tx.get(oldestKeptVisit, { roomId, kept: MAX_KEPT_VISITS })
      if (first) tx.run(deleteVisitsUpTo, { roomId, visitedAt: first.visitedAt })
    }
    return { recorded: known.length }
  },
})
