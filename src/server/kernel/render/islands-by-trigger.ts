import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { HydrateOn } from '../../../client/core/islands/island.tsx'

/** The island files that these route files render with one of these triggers (`on="…"`). */
export async function islandsByTrigger(routes: string[], triggers: HydrateOn[]): Promise<string[]> {
  const found = await Promise.all(
    routes.map(async (route) => islandsInRoute(route, await readFile(route, 'utf8'), triggers)),
  )
  return [...new Set(found.flat())]
}

function islandsInRoute(route: string, text: string, triggers: HydrateOn[]): string[] {
  const imports = [...text.matchAll(/import \{ (\w+) \} from '([^']+\.island\.tsx)'/g)]
  const files = new Map(imports.map(([, name, file]) => [name, join(dirname(route), file ?? '')]))
  const rendered = [...text.matchAll(/<Island is=\{(\w+)\} on="(\w+)"/g)]
  // TypeScript has checked that the attribute is a trigger.
  const matching = rendered.filter(([, , trigger]) => triggers.includes(trigger as HydrateOn))
  return matching.flatMap(([, name]) => files.get(name) ?? [])
}
