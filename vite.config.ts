import { fileURLToPath } from 'node:url'
import type { InlineConfig } from 'vite'

/** The project's folder. */
export const root = fileURLToPath(new URL('.', import.meta.url))

/** The folder whose `routes/` and `*.island.tsx` files make the site; tests build sites of their own. */
export const siteFolder = 'src/client'

/** What development, the two builds and the tests share. */
export function siteConfig(site: string = siteFolder): InlineConfig {
  return {
    root,
    configFile: false,
    appType: 'custom',
    publicDir: `${root}${siteFolder}/public`,
    resolve: { alias: { '@site': `${root}${site}` } },
    build: { target: 'es2023', assetsInlineLimit: 0, reportCompressedSize: false },
  }
}

export default siteConfig()
