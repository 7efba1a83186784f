import { globSync } from 'node:fs'
import type { AnyWrite } from './define-write.ts'

const serverFolder = new URL('../../', import.meta.url)

/** Every write command by name, from the features' `writes.ts`. The writer imports this: no HTTP, no pages. */
export const writeRegistry = createWriteRegistry(await loadWrites())

/** Maps writes by name. Throws when two have the same name. */
export function createWriteRegistry(writes: AnyWrite[]): ReadonlyMap<string, AnyWrite> {
  const registry = new Map<string, AnyWrite>()
  for (const write of writes) {
    if (registry.has(write.name)) throw new Error(`two write commands have the name ${write.name}`)
    registry.set(write.name, write)
  }
  return registry
}

async function loadWrites(): Promise<AnyWrite[]> {
  const files = globSync('{kernel,model,features}/*/writes.ts', { cwd: serverFolder }).sort()
  const loaded = await Promise.all(
    files.map(async (file) => {
      const { writes } = (await import(new URL(file, serverFolder).href)) as { writes: AnyWrite[] } // each file exports them
      return writes
    }),
  )
  return loaded.flat()
}
