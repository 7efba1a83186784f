import type { TestProject } from 'vitest/node'
import { ensureConsul, findConsul } from '../../scripts/regions/find-consul.ts'
import { ensureLitefs } from '../../scripts/regions/find-litefs.ts'
import type { ToolLookup } from '../../scripts/regions/find-tool.ts'
import { removeStaleFolders } from '../../scripts/regions/regions-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    litefs: ToolLookup
    consul: ToolLookup
  }
}

/** Once, before the first region: LiteFS may have to be built, and a machine that cannot mount it says why. */
export function setup(project: TestProject): void {
  const litefs = ensureLitefs()
  const consul = process.env.BUILD_CONSUL ? ensureConsul() : findConsul()
  if ('missing' in litefs) console.log(`Tests of regions are skipped: ${litefs.missing}.`)
  else if ('missing' in consul) console.log(`Tests of failover are skipped: ${consul.missing}.`)
  project.provide('litefs', litefs)
  project.provide('consul', consul)
}

/** After the last: a test's process that was killed could not unmount. */
export async function teardown(): Promise<void> {
  await removeStaleFolders()
}
