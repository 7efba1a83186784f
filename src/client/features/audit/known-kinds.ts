import type { ActionKindSpec } from '../../../shared/audit/action-kind.ts'

/** The kinds of actions of all features, by name. */
export const knownKinds: Readonly<Record<string, ActionKindSpec>> = Object.assign(
  {},
  ...Object.values(
    import.meta.glob<Readonly<Record<string, ActionKindSpec>>>('../../../shared/*/action-kinds.ts', {
      eager: true,
      import: 'actionKinds',
    }),
  ),
)

/** The kinds as options of a filter, by label. */
export const kindOptions: readonly (readonly [kind: string, label: string])[] = Object.entries(knownKinds)
  .map(([kind, { label }]) => [kind, label] as const)
  .sort(([, a], [, b]) => a.localeCompare(b, 'tr'))
