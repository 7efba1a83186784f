import { fileURLToPath } from 'node:url'
import type { InlineConfig } from 'vite'

/** The project's folder. */
export const root = fileURLToPath(new URL('.', import.meta.url))

/** The folder whose `routes/` and `*.island.tsx` files make the site; tests build sites of their own. */
export const siteFolder = 'src/client'

/** The first browsers with `light-dark()` and nested rules, which the styles are written in (Baseline 2024). */
const browsers = ['chrome123', 'edge123', 'firefox120', 'safari17.5']

/** What development, the two builds and the tests share. */
export function siteConfig(site: string = siteFolder): InlineConfig {
  return {
    root,
    configFile: false,
    appType: 'custom',
    publicDir: `${root}${siteFolder}/public`,
    resolve: { alias: { '@site': `${root}${site}` } },
    build: { target: browsers, assetsInlineLimit: 0, reportCompressedSize: false },
  }
}

export default siteConfig()
