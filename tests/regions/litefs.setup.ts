import type { TestProject } from 'vitest/node'
import { ensureConsul, findConsul } from '../../scripts/regions/find-consul.ts'
import { ensureLitefs } from '../../scripts/regions/find-litefs.ts'
import type { ToolLookup } from '../../scripts/regions/find-tool.ts'
import { removeStaleFolders } from '../../scripts/regions/regions-folder.ts'
import { reportMissing } from '../setup/report-missing.ts'

declare module 'vitest' {
  interface ProvidedContext {
    litefs: ToolLookup
    consul: ToolLookup
  }
}

/** Builds LiteFS once if needed, and Consul where it is asked for. */
export function setup(project: TestProject): void {
  const litefs = ensureLitefs()
  const consul = process.env.BUILD_CONSUL ? ensureConsul() : findConsul()
  if ('missing' in litefs) reportMissing('Tests of regions', litefs.missing)
  else if ('missing' in consul && process.env.BUILD_CONSUL) reportMissing('Tests of failover', consul.missing)
  else if ('missing' in consul) console.log(`Tests of failover are skipped: ${consul.missing}.`)
  project.provide('litefs', litefs)
  project.provide('consul', consul)
}

/** Unmounts what killed test processes have left mounted, and the clusters of workers, which may end only later. */
export async function teardown(): Promise<void> {
  await removeStaleFolders()
}
