import type { AnyCommand, FindEarlierAnswer } from './define-command.ts'
import type { HookHandler } from './define-hooks.ts'

/** What a feature runs in the writer's thread. */
export interface FeatureCommands {
  commands?: readonly AnyCommand[]
  hooks?: readonly HookHandler[]
}

/** What all features run there. */
export interface CommandRegistry {
  byName: ReadonlyMap<string, AnyCommand>
  /** Finders of the commands whose results are in their rows. */
  rowFinders: readonly FindEarlierAnswer[]
  hooks: readonly HookHandler[]
}

/** Throws when two commands have the same name. */
export function collectCommands(features: readonly FeatureCommands[]): CommandRegistry {
  const byName = indexByName(
    'commands',
    features.flatMap((feature) => feature.commands ?? []),
  )
  return {
    byName,
    rowFinders: [...byName.values()].flatMap(({ keepResult }) =>
      typeof keepResult === 'object' ? [keepResult.inRow] : [],
    ),
    hooks: features.flatMap((feature) => feature.hooks ?? []),
  }
}

/** @param what the plural of what is indexed, for the error when two have the same name */
export function indexByName<T extends { readonly name: string }>(
  what: string,
  named: readonly T[],
): ReadonlyMap<string, T> {
  const index = new Map<string, T>()
  for (const each of named) {
    if (index.has(each.name)) throw new Error(`two ${what} of the database have the name ${each.name}`)
    index.set(each.name, each)
  }
  return index
}
