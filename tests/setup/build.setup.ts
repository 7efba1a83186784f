import { createLog } from '../../src/server/operations/logging.ts'
import { ensureBuild } from '../../src/server/render/build.ts'

/** Once, before the first site is started: so that no test waits for Vite. */
export async function setup(): Promise<void> {
  await ensureBuild(createLog({ logLevel: 'info' }))
}
