import type { WithdrawalOptionId } from '../../../shared/protocol/ids.ts'
import { toKurus } from '../../../shared/wallet/ledger.ts'
import type { OptionStatus, WithdrawalOption } from '../../../shared/wallet/options-protocol.ts'
import { defineOptionWrites } from '../../database/define-option-writes.ts'
import { query } from '../../database/query.ts'
import { siteStream } from '../../database/streams.ts'
import { listWithdrawalOptions } from './queries.ts'

type Fields = Omit<WithdrawalOption, 'id'>

const insertOption = query<{ amountKurus: number; status: OptionStatus }>()((db, p) =>
  db.insertInto('withdrawalOption').values({ amountKurus: p('amountKurus'), status: p('status'), deletedAt: null }),
)
const updateOption = query<{ id: WithdrawalOptionId; amountKurus: number; status: OptionStatus }>()((db, p) =>
  db
    .updateTable('withdrawalOption')
    .set({ amountKurus: p('amountKurus'), status: p('status') })
    .where('id', '=', p('id')),
)
const markDeleted = query<{ id: WithdrawalOptionId; now: number }>()((db, p) =>
  db
    .updateTable('withdrawalOption')
    .set({ deletedAt: p('now') })
    .where('id', '=', p('id'))
    .where('deletedAt', 'is', null),
)

const toRow = ({ amount, status }: Fields) => ({ amountKurus: toKurus(amount), status })

/** The commands that edit the amounts to withdraw. */
export const withdrawalOptionWrites = defineOptionWrites<WithdrawalOptionId, Fields, WithdrawalOption>({
  name: 'WithdrawalOption',
  list: listWithdrawalOptions,
  isSameChoice: (a, b) => a.amount === b.amount,
  insert: (tx, fields) => tx.run(insertOption, toRow(fields)),
  update: (tx, id, fields) => tx.run(updateOption, { id, ...toRow(fields) }),
  markDeleted,
  emit: {
    added: (tx, { userId: actorId }, payload) =>
      tx.emit({ stream: siteStream, name: 'withdrawalOptionAdded', payload, actorId }),
    updated: (tx, { userId: actorId }, payload) =>
      tx.emit({ stream: siteStream, name: 'withdrawalOptionUpdated', payload, actorId }),
    deleted: (tx, { userId: actorId }, id) =>
      tx.emit({ stream: siteStream, name: 'withdrawalOptionDeleted', payload: { id }, actorId }),
  },
})
