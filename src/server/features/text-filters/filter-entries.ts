import { hash } from 'node:crypto'
import type { FilterEntryId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { MAX_ENTRIES } from '../../../shared/text-filters/limits.ts'
import type { FilterEntry } from '../../../shared/text-filters/protocol.ts'
import { ENTRY_GONE_TEXT } from '../../../shared/text-filters/texts.ts'
import { patternKey } from '../../../shared/text-filters/word-matcher.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../kernel/presence/streams.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { insertRow, query, updateRow } from '../../model/schema/query.ts'
import {
  countHeldTexts,
  filterEntryById,
  filterEntryByKey,
  filterState,
  toFilterEntry,
} from '../../model/text-filters/queries.ts'

type EntryFields = Omit<FilterEntry, 'id' | 'pattern' | 'changedAt'>

export interface AddFilterEntries extends EntryFields {
  patterns: string[]
}
export interface ChangeFilterEntry extends EntryFields {
  id: FilterEntryId
  pattern: string
}

type EntryParams = {
  id: FilterEntryId
  pattern: string
  patternKey: string
  match: FilterEntry['match']
  action: FilterEntry['action']
  replacement: string | null
  exceptions: string
  changedAt: number
}

const fields = ['pattern', 'patternKey', 'match', 'action', 'replacement', 'exceptions', 'changedAt'] as const
const insertEntry = insertRow('filterEntry', ['id', ...fields])
const updateEntry = updateRow('filterEntry', ['id'], fields)
const deleteEntry = query<{ id: FilterEntryId }>()((db, p) => db.deleteFrom('filterEntry').where('id', '=', p('id')))
const lastEntry = query()((db) => db.selectFrom('filterEntry').select((eb) => eb.fn.max<number | null>('id').as('id')))
const setRevision = query<{ revision: string }>()((db, p) =>
  db.updateTable('textFilter').set((eb) => ({
    revision: p('revision'),
    entryCount: eb
      .selectFrom('filterEntry')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .$asScalar(),
  })),
)

/** Adds patterns that the filter lacks. Refuses with Forbidden, FilterEntryExists when it has all, or TooManyFilterEntries. */
export const addFilterEntries = defineCommand({
  name: 'addFilterEntries',
  run(
    tx: Transaction,
    actor: Actor | null,
    { patterns, ...fields }: AddFilterEntries,
  ): { success: true; entries: FilterEntry[] } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const patternByKey = new Map(patterns.map((pattern) => [patternKey(pattern), pattern]))
    const added = [...patternByKey].filter(([key]) => !tx.get(filterEntryByKey, { patternKey: key }))
    if (added.length === 0) return refuse('FilterEntryExists')
    if ((tx.get(filterState)?.entryCount ?? 0) + added.length > MAX_ENTRIES) return refuse('TooManyFilterEntries')
    const firstId = Math.max(tx.now, (tx.get(lastEntry)?.id ?? 0) + 1)
    const entries = added.map(([key, pattern], index) => {
      const row = toRow({ id: firstId + index, pattern, ...fields }, key, tx.now)
      tx.run(insertEntry, row)
      return toFilterEntry(row)
    })
    const [first] = added
    const details = { pattern: first?.[1] ?? '', count: added.length }
    noteChange(tx, actor.userId, { kind: 'filterEntriesAdded', details })
    return { success: true, entries }
  },
})

/** Changes an entry. Refuses with Forbidden, NotFound, or FilterEntryExists when another entry has the pattern. */
export const changeFilterEntry = defineCommand({
  name: 'changeFilterEntry',
  run(tx: Transaction, actor: Actor | null, input: ChangeFilterEntry): { success: true; entry: FilterEntry } | Refusal {
    const before = findEntry(tx, actor, input.id)
    if (before instanceof Refusal) return before
    const row = toRow(input, patternKey(input.pattern), tx.now)
    const holder = tx.get(filterEntryByKey, { patternKey: row.patternKey })
    if (holder && holder.id !== input.id) return refuse('FilterEntryExists')
    const { actor: own, entry } = before
    const changed = toFilterEntry(row)
    if (JSON.stringify({ ...changed, changedAt: 0 }) === JSON.stringify({ ...entry, changedAt: 0 }))
      return { success: true, entry }
    tx.run(updateEntry, row)
    noteChange(tx, own.userId, { kind: 'filterEntryChanged', details: { pattern: input.pattern } })
    return { success: true, entry: changed }
  },
})

/** Deletes an entry; a missing one is deleted already. Refuses with Forbidden. */
export const deleteFilterEntry = defineCommand({
  name: 'deleteFilterEntry',
  run(tx: Transaction, actor: Actor | null, { id }: { id: FilterEntryId }): { success: true } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const entry = tx.get(filterEntryById, { id })
    if (!entry) return { success: true }
    tx.run(deleteEntry, { id })
    noteChange(tx, actor.userId, { kind: 'filterEntryDeleted', details: { pattern: entry.pattern } })
    return { success: true }
  },
})

function findEntry(
  tx: Transaction,
  actor: Actor | null,
  id: FilterEntryId,
): { actor: Actor; entry: FilterEntry } | Refusal {
  if (actor?.role !== 'rootadmin') return refuse('Forbidden')
  const row = tx.get(filterEntryById, { id })
  return row ? { actor, entry: toFilterEntry(row) } : refuse('NotFound', { message: ENTRY_GONE_TEXT })
}

function toRow(entry: ChangeFilterEntry, key: string, changedAt: number): EntryParams {
  const { id, pattern, match, action, replacement, exceptions } = entry
  const kept = action === 'replace' ? replacement : null
  return {
    id,
    pattern,
    patternKey: key,
    match,
    action,
    replacement: kept,
    exceptions: JSON.stringify(exceptions),
    changedAt,
  }
}

/** Gives the entries a new revision, records the change and tells root admins. */
function noteChange(
  tx: Transaction,
  actorId: UserId,
  action: {
    kind: 'filterEntriesAdded' | 'filterEntryChanged' | 'filterEntryDeleted'
    details: Record<string, string | number>
  },
): void {
  // The revision before makes it differ from that of any other list.
  const source = JSON.stringify([tx.get(filterState)?.revision, action, tx.now])
  tx.run(setRevision, { revision: hash('sha256', source, 'base64url') })
  recordAction(tx, { actorId, ...action })
  const payload = { part: 'entries', heldCount: countHeldTexts(tx) } as const
  tx.emit({ stream: rootAdminStream, name: 'textFilterChanged', payload })
}
