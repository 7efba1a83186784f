import type { StarOptionId } from '../../../shared/protocol/ids.ts'
import { toKurus } from '../../../shared/wallet/ledger.ts'
import type { OptionStatus, StarOption } from '../../../shared/wallet/options-protocol.ts'
import { defineOptionWrites } from '../../database/define-option-writes.ts'
import { query } from '../../database/query.ts'
import { siteStream } from '../../database/streams.ts'
import { listStarOptions } from './queries.ts'

type Fields = Omit<StarOption, 'id'>

const insertOption = query<{ amountKurus: number; status: OptionStatus }>()((db, p) =>
  db.insertInto('starOption').values({ amountKurus: p('amountKurus'), status: p('status'), deletedAt: null }),
)
const updateOption = query<{ id: StarOptionId; amountKurus: number; status: OptionStatus }>()((db, p) =>
  db
    .updateTable('starOption')
    .set({ amountKurus: p('amountKurus'), status: p('status') })
    .where('id', '=', p('id')),
)
const markDeleted = query<{ id: StarOptionId; now: number }>()((db, p) =>
  db
    .updateTable('starOption')
    .set({ deletedAt: p('now') })
    .where('id', '=', p('id'))
    .where('deletedAt', 'is', null),
)

const toRow = ({ amount, status }: Fields) => ({ amountKurus: toKurus(amount), status })

/** The commands that edit the amounts to load. */
export const starOptionWrites = defineOptionWrites<StarOptionId, Fields, StarOption>({
  name: 'StarOption',
  list: listStarOptions,
  isSameChoice: (a, b) => a.amount === b.amount,
  insert: (tx, fields) => tx.run(insertOption, toRow(fields)),
  update: (tx, id, fields) => tx.run(updateOption, { id, ...toRow(fields) }),
  markDeleted,
  emit: {
    added: (tx, { userId: actorId }, payload) =>
      tx.emit({ stream: siteStream, name: 'starOptionAdded', payload, actorId }),
    updated: (tx, { userId: actorId }, payload) =>
      tx.emit({ stream: siteStream, name: 'starOptionUpdated', payload, actorId }),
    deleted: (tx, { userId: actorId }, id) =>
      tx.emit({ stream: siteStream, name: 'starOptionDeleted', payload: { id }, actorId }),
  },
})
