import type { StarOptionId, WithdrawalOptionId } from '../../../../shared/protocol/ids.ts'
import { toKurus } from '../../../../shared/wallet/ledger.ts'
import type { OptionStatus, StarOption, WithdrawalOption } from '../../../../shared/wallet/options/protocol.ts'
import { siteStream } from '../../../kernel/database/events/streams.ts'
import { recordAction } from '../../../model/audit/transactions.ts'
import { defineOptionCommands, type OptionKind } from '../../../model/options/define-option-commands.ts'
import { query } from '../../../model/schema/query.ts'
import { listStarOptions, listWithdrawalOptions } from '../../../model/wallet/options/queries.ts'

type Fields = Omit<StarOption, 'id'>
type AmountRow = { amountKurus: number; status: OptionStatus }

/** The commands that edit the amounts to load. */
export const starOptionCommands = defineOptionCommands<StarOptionId, Fields, StarOption>({
  ...editingOf('starOption'),
  name: 'StarOption',
  list: listStarOptions,
  emit: {
    added: (tx, { userId: actorId }, payload) =>
      tx.emit({ stream: siteStream, name: 'starOptionAdded', payload, actorId }),
    updated: (tx, { userId: actorId }, payload) =>
      tx.emit({ stream: siteStream, name: 'starOptionUpdated', payload, actorId }),
    deleted: (tx, { userId: actorId }, id) =>
      tx.emit({ stream: siteStream, name: 'starOptionDeleted', payload: { id }, actorId }),
  },
  record: (tx, { userId: actorId }, change, option, before) =>
    recordAction(tx, { kind: `starOption${change}`, actorId, details: detailsOf(option, before) }),
})

/** The commands that edit the amounts to withdraw. */
export const withdrawalOptionCommands = defineOptionCommands<WithdrawalOptionId, Fields, WithdrawalOption>({
  ...editingOf('withdrawalOption'),
  name: 'WithdrawalOption',
  list: listWithdrawalOptions,
  emit: {
    added: (tx, { userId: actorId }, payload) =>
      tx.emit({ stream: siteStream, name: 'withdrawalOptionAdded', payload, actorId }),
    updated: (tx, { userId: actorId }, payload) =>
      tx.emit({ stream: siteStream, name: 'withdrawalOptionUpdated', payload, actorId }),
    deleted: (tx, { userId: actorId }, id) =>
      tx.emit({ stream: siteStream, name: 'withdrawalOptionDeleted', payload: { id }, actorId }),
  },
  record: (tx, { userId: actorId }, change, option, before) =>
    recordAction(tx, { kind: `withdrawalOption${change}`, actorId, details: detailsOf(option, before) }),
})

function detailsOf({ amount, status }: Fields, before: Fields | undefined) {
  return { amount, isActive: status === 'active', ...(before && { amountBefore: before.amount }) }
}

/** What both kinds do to their tables, which have the same columns. */
function editingOf(
  table: 'starOption' | 'withdrawalOption',
): Pick<OptionKind<number, Fields, Fields & { id: number }>, 'isSameChoice' | 'insert' | 'update' | 'markDeleted'> {
  const insertOption = query<AmountRow>()((db, p) =>
    db.insertInto(table).values({ amountKurus: p('amountKurus'), status: p('status'), deletedAt: null }),
  )
  const updateOption = query<AmountRow & { id: number }>()((db, p) =>
    db
      .updateTable(table)
      .set({ amountKurus: p('amountKurus'), status: p('status') })
      .where('id', '=', p('id')),
  )
  const markDeleted = query<{ id: number; now: number }>()((db, p) =>
    db
      .updateTable(table)
      .set({ deletedAt: p('now') })
      .where('id', '=', p('id'))
      .where('deletedAt', 'is', null),
  )
  const toRow = ({ amount, status }: Fields): AmountRow => ({ amountKurus: toKurus(amount), status })
  return {
    isSameChoice: (a, b) => a.amount === b.amount,
    insert: (tx, fields) => tx.run(insertOption, toRow(fields)),
    update: (tx, id, fields) => void tx.run(updateOption, { id, ...toRow(fields) }),
    markDeleted,
  }
}
