import { globSync } from 'node:fs'
import type { ActionKindSpec } from '../../../shared/audit/action-kind.ts'

const sharedFolder = new URL('../../../shared/', import.meta.url)
const declared = await Promise.all(
  globSync('*/action-kinds.ts', { cwd: sharedFolder })
    .sort()
    .map(async (file) => {
      const module: object = await import(new URL(file, sharedFolder).href)
      return (module as { actionKinds: Record<string, ActionKindSpec> }).actionKinds // each file exports them
    }),
)

/** The kinds of all features by name. Throws when two features use the same name. */
export const actionKinds: ReadonlyMap<string, ActionKindSpec> = collectKinds(declared)

export function collectKinds(features: readonly Record<string, ActionKindSpec>[]): ReadonlyMap<string, ActionKindSpec> {
  const kinds = new Map<string, ActionKindSpec>()
  for (const [name, spec] of features.flatMap((feature) => Object.entries(feature))) {
    if (kinds.has(name)) throw new Error(`two features use the kind of action ${name}`)
    kinds.set(name, spec)
  }
  return kinds
}
