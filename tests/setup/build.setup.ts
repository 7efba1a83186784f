import { existsSync } from 'node:fs'
import { createLog } from '../../src/server/kernel/operations/logging.ts'
import { ensureBuild } from '../../src/server/kernel/render/build.ts'
import { COMPILE_CACHE_ENV } from '../drivers/compile-cache.ts'
import { startSite } from '../drivers/site-process.ts'

/** Runs once before the first site, so that no test waits for Vite, nor the first sites of processes for compiled modules. */
export async function setup(): Promise<void> {
  await ensureBuild(createLog({ logLevel: 'info' }))
  if (existsSync(COMPILE_CACHE_ENV.NODE_COMPILE_CACHE)) return
  const site = await startSite()
  await site.signal('SIGTERM') // compiled modules are kept at an orderly end
  await site.stop()
}
