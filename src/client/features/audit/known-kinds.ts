import type { ActionKindSpec } from '../../../shared/audit/action-kind.ts'
import { allActionKinds } from '../../../shared/audit/all-action-kinds.ts'

/** The kinds of actions of all features, by name: an entry may have one of a newer version. */
export const knownKinds: Readonly<Record<string, ActionKindSpec>> = allActionKinds

/** The kinds as options of a filter, by label. */
export const kindOptions: readonly (readonly [kind: string, label: string])[] = Object.entries(knownKinds)
  .map(([kind, { label }]) => [kind, label] as const)
  .sort(([, a], [, b]) => a.localeCompare(b, 'tr'))
