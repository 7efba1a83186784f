import type { CapacityOptionId } from '../../../../shared/protocol/ids.ts'
import type { CapacityOption } from '../../../../shared/rooms/options-protocol.ts'
import { toKurus } from '../../../../shared/wallet/ledger.ts'
import { siteStream } from '../../../kernel/database/events/streams.ts'
import { recordAction } from '../../../model/audit/transactions.ts'
import { defineOptionCommands } from '../../../model/options/define-option-commands.ts'
import { listCapacityOptions } from '../../../model/rooms/options/queries.ts'
import { insertRow, query, updateRow } from '../../../model/schema/query.ts'

type Fields = Omit<CapacityOption, 'id'>

const insertOption = insertRow('capacityOption', ['numberOfPeople', 'priceKurus'], { deletedAt: null })
const updateOption = updateRow('capacityOption', ['id'], ['numberOfPeople', 'priceKurus'])
const markDeleted = query<{ id: CapacityOptionId; now: number }>()((db, p) =>
  db
    .updateTable('capacityOption')
    .set({ deletedAt: p('now') })
    .where('id', '=', p('id'))
    .where('deletedAt', 'is', null),
)

const toRow = ({ numberOfPeople, price }: Fields) => ({ numberOfPeople, priceKurus: toKurus(price) })

/** The commands that edit the capacities of rooms. */
export const capacityOptionCommands = defineOptionCommands<CapacityOptionId, Fields, CapacityOption>({
  name: 'CapacityOption',
  list: listCapacityOptions,
  isSameChoice: (a, b) => a.numberOfPeople === b.numberOfPeople,
  insert: (tx, fields) => tx.run(insertOption, toRow(fields)),
  update: (tx, id, fields) => tx.run(updateOption, { id, ...toRow(fields) }),
  markDeleted,
  emit: {
    added: (tx, { userId: actorId }, payload) =>
      tx.emit({ stream: siteStream, name: 'capacityOptionAdded', payload, actorId }),
    updated: (tx, { userId: actorId }, payload) =>
      tx.emit({ stream: siteStream, name: 'capacityOptionUpdated', payload, actorId }),
    deleted: (tx, { userId: actorId }, id) =>
      tx.emit({ stream: siteStream, name: 'capacityOptionDeleted', payload: { id }, actorId }),
  },
  record: (tx, { userId: actorId }, change, { numberOfPeople, price }, before) => {
    const details = { numberOfPeople, price, ...(before && { priceBefore: before.price }) }
    recordAction(tx, { kind: `capacityOption${change}`, actorId, details })
  },
})
