import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { nameSkeleton } from '../../../shared/text/name-skeleton.ts'
import type { Transaction } from '../../kernel/database/transact.ts'
import { query } from '../schema/query.ts'

const setOfUser = query<{ id: UserId; skeleton: string }>()((db, p) =>
  db
    .updateTable('user')
    .set({ skeleton: p('skeleton') })
    .where('id', '=', p('id')),
)
const setOfRoom = query<{ id: RoomId; skeleton: string }>()((db, p) =>
  db
    .updateTable('room')
    .set({ skeleton: p('skeleton') })
    .where('id', '=', p('id')),
)

export function storeUserSkeleton(tx: Transaction, id: UserId, username: string): void {
  tx.run(setOfUser, { id, skeleton: nameSkeleton(username) })
}

export function storeRoomSkeleton(tx: Transaction, id: RoomId, name: string): void {
  tx.run(setOfRoom, { id, skeleton: nameSkeleton(name) })
}
