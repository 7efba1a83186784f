import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { MAX_OPTIONS } from '../../../shared/wallet/options/limits.ts'
import { type Command, defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Query } from '../../kernel/database/query.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'

export type OptionChange = 'Added' | 'Updated' | 'Deleted'

/** One kind of option in a short list that root admins edit. `Fields` and `Option` are as clients have them. */
export interface OptionKind<Id extends number, Fields extends object, Option extends Fields & { id: Id }> {
  /** Part of the names of its commands: `addStarOption`. */
  name: string
  list(tx: Transaction): Option[]
  /** Whether two options of this kind would be the same choice. */
  isSameChoice(a: Fields, b: Fields): boolean
  insert(tx: Transaction, fields: Fields): { lastId: number }
  update(tx: Transaction, id: Id, fields: Fields): void
  /** Changes a row of this id, if there is one that is not deleted. */
  markDeleted: Query<{ id: Id; now: number }, unknown>
  /** Emits the events of a change. */
  emit: {
    added(tx: Transaction, actor: Actor, option: Option): void
    updated(tx: Transaction, actor: Actor, option: Option): void
    deleted(tx: Transaction, actor: Actor, id: Id): void
  }
  /** Records a change in the action log; `before` is the option that was changed. */
  record(tx: Transaction, actor: Actor, change: OptionChange, option: Option, before?: Option): void
}

export interface OptionCommands<Id extends number, Fields extends object, Option extends Fields & { id: Id }> {
  add: Command<Fields, { success: true; option: Option }>
  update: Command<Fields & { id: Id }, { success: true; option: Option }>
  remove: Command<{ id: Id }, { success: true }>
}

/**
 * The commands that edit one kind of option, for root admins: a choice is offered once, and a list has at most 30. They
 * refuse with Forbidden, OptionExists, TooManyOptions or NotFound. A change without an effect emits nothing.
 */
export function defineOptionCommands<Id extends number, Fields extends object, Option extends Fields & { id: Id }>(
  kind: OptionKind<Id, Fields, Option>,
): OptionCommands<Id, Fields, Option> {
  return {
    add: defineCommand({
      name: `add${kind.name}`,
      run: (tx, actor, input: Fields) => addOption(kind, tx, actor, input),
    }),
    update: defineCommand({
      name: `update${kind.name}`,
      run: (tx, actor, input: Fields & { id: Id }) => updateOption(kind, tx, actor, input),
    }),
    remove: defineCommand({
      name: `delete${kind.name}`,
      run(tx: Transaction, actor: Actor | null, { id }: { id: Id }): { success: true } | Refusal {
        if (actor?.role !== 'rootadmin') return refuse('Forbidden')
        const option = findOption(kind, tx, id)
        if (!option) return { success: true }
        tx.run(kind.markDeleted, { id, now: tx.now })
        kind.emit.deleted(tx, actor, id)
        kind.record(tx, actor, 'Deleted', option)
        return { success: true }
      },
    }),
  }
}

function addOption<Id extends number, Fields extends object, Option extends Fields & { id: Id }>(
  kind: OptionKind<Id, Fields, Option>,
  tx: Transaction,
  actor: Actor | null,
  fields: Fields,
): { success: true; option: Option } | Refusal {
  if (actor?.role !== 'rootadmin') return refuse('Forbidden')
  const present = kind.list(tx)
  if (present.some((option) => kind.isSameChoice(option, fields))) return refuse('OptionExists')
  if (present.length >= MAX_OPTIONS) return refuse('TooManyOptions')
  const { lastId } = kind.insert(tx, fields)
  const option = findOption(kind, tx, lastId)
  if (!option) throw new Error(`the new ${kind.name} ${lastId} is not listed`)
  kind.emit.added(tx, actor, option)
  kind.record(tx, actor, 'Added', option)
  return { success: true, option }
}

function updateOption<Id extends number, Fields extends object, Option extends Fields & { id: Id }>(
  kind: OptionKind<Id, Fields, Option>,
  tx: Transaction,
  actor: Actor | null,
  input: Fields & { id: Id },
): { success: true; option: Option } | Refusal {
  if (actor?.role !== 'rootadmin') return refuse('Forbidden')
  const before = findOption(kind, tx, input.id)
  if (!before) return refuse('NotFound')
  const others = kind.list(tx).filter(({ id }) => id !== input.id)
  if (others.some((option) => kind.isSameChoice(option, input))) return refuse('OptionExists')
  kind.update(tx, input.id, input)
  const option = findOption(kind, tx, input.id) ?? before
  if (JSON.stringify(option) === JSON.stringify(before)) return { success: true, option }
  kind.emit.updated(tx, actor, option)
  kind.record(tx, actor, 'Updated', option, before)
  return { success: true, option }
}

function findOption<Id extends number, Fields extends object, Option extends Fields & { id: Id }>(
  kind: OptionKind<Id, Fields, Option>,
  tx: Transaction,
  id: number,
): Option | undefined {
  return kind.list(tx).find((option) => option.id === id)
}
