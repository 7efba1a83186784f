import { fileURLToPath } from 'node:url'
import type { InlineConfig } from 'vite'
import { emojiAsset } from './src/server/kernel/render/emoji-asset.ts'

/** The project's folder. */
export const root = fileURLToPath(new URL('.', import.meta.url))

/** A site to build: folders below the project's. */
export interface Site {
  /** It has `page/routes/`, `page/main.ts` and `*.island.tsx` files. */
  sources: string
  /** Where its builds are kept. */
  builds: string
}

/** The site itself; tests build small ones of their own. */
export const meydan: Site = { sources: 'src/client', builds: 'build' }

/** The first browsers with `light-dark()` and nested rules, which the styles are written in (Baseline 2024). */
const browsers = ['chrome123', 'edge123', 'firefox120', 'safari17.5']

/** What development, the two builds and the tests share. */
export function siteConfig({ sources }: Site = meydan): InlineConfig {
  return {
    root,
    configFile: false,
    appType: 'custom',
    publicDir: `${root}${meydan.sources}/public`,
    plugins: [emojiAsset],
    resolve: {
      alias: {
        '@site': `${root}${sources}`,
        // React has had the hook since 18: the copy for older versions, which @preact/signals-react imports, is not loaded.
        'use-sync-external-store/shim/index.js': 'react',
      },
    },
    build: { target: browsers, assetsInlineLimit: 0, reportCompressedSize: false },
  }
}

export default siteConfig()
