import type { DurationOptionId } from '../../../../shared/protocol/ids.ts'
import type { DurationOption } from '../../../../shared/rooms/options-protocol.ts'
import { toBasisPoints } from '../../../../shared/rooms/rules.ts'
import { siteStream } from '../../../kernel/database/events/streams.ts'
import { recordAction } from '../../../model/audit/transactions.ts'
import { defineOptionCommands } from '../../../model/options/define-option-commands.ts'
import { listDurationOptions } from '../../../model/rooms/options/queries.ts'
import { insertRow, query, updateRow } from '../../../model/schema/query.ts'

type Fields = Omit<DurationOption, 'id'>

const insertOption = insertRow('durationOption', ['durationInMonths', 'discountBasisPoints'], { deletedAt: null })
const updateOption = updateRow('durationOption', ['id'], ['durationInMonths', 'discountBasisPoints'])
const markDeleted = query<{ id: DurationOptionId; now: number }>()((db, p) =>
  db
    .updateTable('durationOption')
    .set({ deletedAt: p('now') })
    .where('id', '=', p('id'))
    .where('deletedAt', 'is', null),
)

const toRow = ({ durationInMonths, discountPercentage }: Fields) => ({
  durationInMonths,
  discountBasisPoints: toBasisPoints(discountPercentage),
})

/** The commands that edit the durations of rooms. */
export const durationOptionCommands = defineOptionCommands<DurationOptionId, Fields, DurationOption>({
  name: 'DurationOption',
  list: listDurationOptions,
  isSameChoice: (a, b) => a.durationInMonths === b.durationInMonths,
  insert: (tx, fields) => tx.run(insertOption, toRow(fields)),
  update: (tx, id, fields) => tx.run(updateOption, { id, ...toRow(fields) }),
  markDeleted,
  emit: {
    added: (tx, { userId: actorId }, payload) =>
      tx.emit({ stream: siteStream, name: 'durationOptionAdded', payload, actorId }),
    updated: (tx, { userId: actorId }, payload) =>
      tx.emit({ stream: siteStream, name: 'durationOptionUpdated', payload, actorId }),
    deleted: (tx, { userId: actorId }, id) =>
      tx.emit({ stream: siteStream, name: 'durationOptionDeleted', payload: { id }, actorId }),
  },
  record: (tx, { userId: actorId }, change, { durationInMonths: months, discountPercentage: discount }, before) => {
    const details = { months, discount, ...(before && { discountBefore: before.discountPercentage }) }
    recordAction(tx, { kind: `durationOption${change}`, actorId, details })
  },
})
