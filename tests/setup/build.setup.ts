import { createLog } from '../../src/server/operations/logging.ts'
import { ensureBuild } from '../../src/server/render/build.ts'
import { startSite } from '../drivers/site-process.ts'

/** Runs once before the first site, so that no test waits for Vite or for compiled modules. */
export async function setup(): Promise<void> {
  await ensureBuild(createLog({ logLevel: 'info' }))
  const site = await startSite()
  await site.signal('SIGTERM') // compiled modules are kept at an orderly end
  await site.stop()
}
