import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { HydrateOn } from '../../client/island.tsx'

/** The island files that these route files render with `on="…"` one of these moments. */
export async function islandsByTrigger(routes: string[], moments: HydrateOn[]): Promise<string[]> {
  const found = await Promise.all(
    routes.map(async (route) => islandsInRoute(route, await readFile(route, 'utf8'), moments)),
  )
  return [...new Set(found.flat())]
}

function islandsInRoute(route: string, text: string, moments: HydrateOn[]): string[] {
  const imports = [...text.matchAll(/import \{ (\w+) \} from '([^']+\.island\.tsx)'/g)]
  const files = new Map(imports.map(([, name, file]) => [name, join(dirname(route), file ?? '')]))
  const rendered = [...text.matchAll(/<Island is=\{(\w+)\} on="(\w+)"/g)]
  // What is written there is one: TypeScript has checked it.
  const wanted = rendered.filter(([, , moment]) => moments.includes(moment as HydrateOn))
  return wanted.flatMap(([, name]) => files.get(name) ?? [])
}
