/**
 * Builds the site: `node vite-build.ts <sources> <folder>`, with NODE_ENV=production. A program of its own, so that
 * Vite leaves nothing behind in the memory of the server, and the server's NODE_ENV nothing in the build.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Manifest, mergeConfig } from 'vite'
import { meydan, root, type Site, siteConfig } from '../../../vite.config.ts'
import { chunkGroups } from './chunk-groups.ts'
import { compressFiles } from './compress.ts'
import { islandsAtOnce } from './islands-at-once.ts'
import { collectPageStyles, emitPageStyles, routeName, type StylesByRoute, stylesEntry } from './page-styles.ts'

/** What a document links, as paths below `/`. Written to `assets.json`. */
export interface BuiltAssets {
  script: string
  /** By route name; `_app` is on every page, before the page's own. */
  styles: Record<string, string[]>
  /** By island file: its chunk and what that imports besides the script, React too. */
  islands: Record<string, string[]>
}

const [sources = meydan.sources, folder = ''] = process.argv.slice(2)
await buildSite({ ...meydan, sources }, folder)

/** Builds the pages bundle and the browser's files of one site into `folder`. */
async function buildSite(site: Site, folder: string): Promise<void> {
  const styles: StylesByRoute = new Map()
  await buildBundle(site, join(folder, 'server'), styles)
  await buildClient(site, join(folder, 'client'), styles)
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'client/.vite/manifest.json'), 'utf8'))
  await writeFile(join(folder, 'assets.json'), JSON.stringify(assetsOf(site.sources, manifest, [...styles.keys()])))
  await compressFiles(join(folder, 'client'))
}

/** React is bundled in with NODE_ENV fixed, so pages are rendered by its production build whatever the environment. */
async function buildBundle(site: Site, outDir: string, styles: StylesByRoute): Promise<void> {
  await build(
    mergeConfig(siteConfig(site), {
      logLevel: 'warn',
      plugins: [collectPageStyles(styles)],
      define: { 'process.env.NODE_ENV': '"production"' },
      ssr: { noExternal: true },
      build: { outDir, ssr: `${root}src/server/render/bundle.tsx`, copyPublicDir: false, emptyOutDir: false },
    }),
  )
}

async function buildClient(site: Site, outDir: string, styles: StylesByRoute): Promise<void> {
  const main = `${root}${site.sources}/main.ts`
  const pages = [...styles.keys()].map(stylesEntry)
  const atOnce = await islandsAtOnce([...styles.keys()].map((route) => join(root, route)))
  await build(
    mergeConfig(siteConfig(site), {
      logLevel: 'warn',
      plugins: [emitPageStyles(styles)],
      build: {
        outDir,
        emptyOutDir: false,
        manifest: true,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: [main, ...pages],
          output: { codeSplitting: { groups: chunkGroups(main, atOnce) } },
        },
      },
    }),
  )
}

function assetsOf(sources: string, manifest: Manifest, routes: string[]): BuiltAssets {
  const chunk = (key: string) => {
    const found = manifest[key]
    if (!found) throw new Error(`The build has no ${key}.`)
    return found
  }
  // What is imported comes first: so must its styles, which the importer's own may overrule.
  const withImports = (key: string): string[] => [...(chunk(key).imports ?? []).flatMap(withImports), key]
  const script = `/${chunk(`${sources}/main.ts`).file}`
  const chunksOf = (key: string): string[] => {
    const files = withImports(key).map((imported) => `/${chunk(imported).file}`)
    return [...new Set(files)].filter((file) => file !== script)
  }
  const stylesOf = (route: string): string[] => [
    ...new Set(withImports(stylesEntry(route)).flatMap((key) => chunk(key).css ?? [])),
  ]
  const islands = Object.keys(manifest).filter((key) => key.endsWith('.island.tsx'))
  return {
    script,
    styles: Object.fromEntries(routes.map((route) => [routeName(route), stylesOf(route).map((file) => `/${file}`)])),
    islands: Object.fromEntries(islands.map((key) => [`/${key}`, chunksOf(key)])),
  }
}
