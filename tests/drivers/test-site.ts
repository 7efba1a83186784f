import { PasswordHasher } from '../../src/server/features/accounts/passwords/password-hasher.ts'
import { makeRootAdmin } from '../../src/server/features/accounts/roles/make-root-admin.ts'
import { createLog } from '../../src/server/kernel/operations/logging.ts'
import { createRenderer, type Renderer } from '../../src/server/kernel/render/renderer.ts'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
import { type HttpRegion, startHttpRegion } from './http-region.ts'
import type { Site } from './site.ts'

/** The built site in the test's process: starting it takes a fifteenth of the CPU of a process of its own. */
export interface TestSite extends Site, HttpRegion {}

const ROOT_ADMIN_PASSWORD = 'kök yöneticinin parolası'

// Both are kept for all sites of this process.
let renderer: Promise<Renderer> | null = null
let passwordHash: Promise<string | Refusal> | null = null

/** @param env settings, as those of a process */
export async function startTestSite(env: Record<string, string> = {}): Promise<TestSite> {
  renderer ??= createRenderer({ isDev: false }, createLog({ logLevel: 'warn' }))
  const site = await startHttpRegion(env, await renderer)
  const { region } = site
  return {
    ...site,
    dataFolder: region.appContext.config.dataFolder,
    createRootAdmin: async (username) => {
      passwordHash ??= new PasswordHasher().hash(ROOT_ADMIN_PASSWORD)
      const hash = await passwordHash
      if (hash instanceof Refusal) throw new Error(hash.body.message)
      const created = await region.appContext.execute(makeRootAdmin, null, { username, passwordHash: hash })
      if (created instanceof Refusal) throw new Error(`${username} was refused: ${created.body.code}`)
      return ROOT_ADMIN_PASSWORD
    },
    changeDatabase: region.changeDatabase,
  }
}
