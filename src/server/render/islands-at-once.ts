import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The island files that these route files render with `on="load"`: what a page needs before it can be used. */
export async function islandsAtOnce(routes: string[]): Promise<string[]> {
  const found = await Promise.all(routes.map(async (route) => inRoute(route, await readFile(route, 'utf8'))))
  return [...new Set(found.flat())]
}

function inRoute(route: string, text: string): string[] {
  const imports = [...text.matchAll(/import \{ (\w+) \} from '([^']+\.island\.tsx)'/g)]
  const files = new Map(imports.map(([, name, file]) => [name, join(dirname(route), file ?? '')]))
  const atOnce = [...text.matchAll(/<Island is=\{(\w+)\} on="load"/g)]
  return atOnce.flatMap(([, name]) => files.get(name) ?? [])
}
