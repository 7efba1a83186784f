/**
 * Builds the site: `node vite-build.ts <sources> <folder>`, with NODE_ENV=production. It is a separate program so that
 * Vite stays out of the server's memory, and the server's NODE_ENV out of the build.
 */
import { globSync } from 'node:fs'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { build, type Manifest, mergeConfig, type Plugin } from 'vite'
import { meydan, root, type Site, siteConfig } from '../../../../vite.config.ts'
import { chunkGroups } from './chunk-groups.ts'
import { compressFiles } from './compress.ts'
import { islandsByTrigger } from './islands-by-trigger.ts'
import {
  collectPageStyles,
  emitPageStyles,
  type LazyModuleRoutes,
  routeName,
  type StylesByRoute,
  stylesEntry,
} from './page-styles.ts'

/** The id of Vite's wrapper around every `import()` of a build. */
const VITE_PRELOAD_HELPER = '\0vite/preload-helper.js'

/** Plugin of the browser build: routes every `import()` through `src/client/core/loading/load-chunk.ts`, which retries. */
const retryingImports: Plugin = {
  name: 'meydan:retrying-imports',
  enforce: 'pre',
  resolveId: (source) => (source === VITE_PRELOAD_HELPER ? `${root}src/client/core/loading/load-chunk.ts` : null),
}

/** The files that a document links, as paths below `/`. Stored in `assets.json`. */
export interface BuiltAssets {
  script: string
  /** By route name; every page links `_app` before its own. */
  styles: Record<string, string[]>
  /** By island file: its chunk and the imports of that, without the script. */
  islands: Record<string, string[]>
}

/** The bundler needs 7 characters for more than 64 chunks; Vite's 8 cost a room 40 bytes, because hashes do not compress. */
const HASHED_NAME = { js: 'assets/[name]-[hash:7].js', asset: 'assets/[name]-[hash:7][extname]' }

/** Chunk by island file; paths below the project's folder and below `/`. */
type IslandChunks = Map<string, string>

const [sources = meydan.sources, folder = ''] = process.argv.slice(2)
await buildSite({ ...meydan, sources }, folder)

/** Builds the pages bundle and the browser's files of one site into `folder`. */
async function buildSite(site: Site, folder: string): Promise<void> {
  const styles: StylesByRoute = new Map()
  const lazyModules: LazyModuleRoutes = new Map()
  await buildBundle(site, join(folder, 'server'), [collectPageStyles(styles, lazyModules)])
  const islands = await buildClient(site, join(folder, 'client'), styles, emitPageStyles(styles, lazyModules))
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'client/.vite/manifest.json'), 'utf8'))
  const assets = assetsOf(site.sources, manifest, [...styles.keys()], islands)
  await writeFile(join(folder, 'assets.json'), JSON.stringify(assets))
  await copyDrawings(folder)
  await compressFiles(join(folder, 'client'))
}

/** Bundles React with a fixed NODE_ENV, so that its production build renders in every environment. */
async function buildBundle(site: Site, outDir: string, plugins: Plugin[]): Promise<void> {
  await build(
    mergeConfig(siteConfig(site), {
      logLevel: 'warn',
      plugins,
      define: { 'process.env.NODE_ENV': '"production"' },
      ssr: { noExternal: true },
      build: {
        outDir,
        ssr: `${root}src/server/kernel/render/bundle.tsx`,
        copyPublicDir: false,
        ssrEmitAssets: true,
        emptyOutDir: false,
        // The documents link the browser's files.
        rolldownOptions: { output: { assetFileNames: HASHED_NAME.asset } },
      },
    }),
  )
}

/** The browser's build has no drawing that only the server's code shows. The hash in its name is the same in both builds. */
async function copyDrawings(folder: string): Promise<void> {
  const drawings = globSync('assets/*.svg', { cwd: join(folder, 'server') })
  await Promise.all(drawings.map((file) => copyFile(join(folder, 'server', file), join(folder, 'client', file))))
}

async function buildClient(
  site: Site,
  outDir: string,
  styles: StylesByRoute,
  pageStyles: Plugin,
): Promise<IslandChunks> {
  const main = `${root}${site.sources}/page/main.ts`
  const pages = [...styles.keys()].map(stylesEntry)
  const routes = [...styles.keys()].map((route) => join(root, route))
  const filesNamed = (pattern: string): string[] =>
    globSync(`${site.sources}/**/${pattern}`, { cwd: root }).map((file) => join(root, file))
  const atOnce = await islandsByTrigger(routes, ['load', 'afterLoad', 'interaction'])
  const deferred = (await islandsByTrigger(routes, ['idle', 'visible'])).filter((island) => !atOnce.includes(island))
  const eager = filesNamed('*.island.tsx').filter((island) => !deferred.includes(island))
  const islands: IslandChunks = new Map()
  await build(
    mergeConfig(siteConfig(site), {
      logLevel: 'warn',
      // These files run only in browsers, so the libraries' server branches are removed.
      define: { 'typeof window': '"object"', 'typeof document': '"object"' },
      plugins: [retryingImports, pageStyles, recordIslandChunks(islands)],
      build: {
        outDir,
        emptyOutDir: false,
        manifest: true,
        modulePreload: { polyfill: false, resolveDependencies: omitLoadedChunks },
        rolldownOptions: {
          input: [main, ...pages],
          // A tier may have a module and what imports it at its first use.
          checks: { ineffectiveDynamicImport: false },
          treeshake: {
            propertyReadSideEffects: false,
            unknownGlobalSideEffects: false,
            // Its side effect lets JSX render signals directly, which hydrates wrongly (use-signal-value.ts).
            moduleSideEffects: [{ test: /\/@preact\/signals-react\//, sideEffects: false }],
          },
          output: {
            entryFileNames: HASHED_NAME.js,
            chunkFileNames: HASHED_NAME.js,
            assetFileNames: HASHED_NAME.asset,
            generatedCode: { symbols: false },
            codeSplitting: {
              groups: chunkGroups(main, eager, [...deferred, ...filesNamed('*.lazy.{ts,tsx}')]),
            },
          },
        },
      },
    }),
  )
  return islands
}

/**
 * The files to fetch before a chunk is imported, without those that are loaded already: their hashed names hardly compress.
 * @param chunk the file of the chunk that has the `import()`; `main` alone runs in pages without React
 */
function omitLoadedChunks(_: string, files: string[], { hostId: chunk }: { hostId: string }): string[] {
  const loaded = /\/main-/.test(chunk) ? /\/main-/ : /\/(main|react|rolldown-runtime)-/
  return files.filter((file) => !loaded.test(file))
}

/** Records the chunk of each island, because Vite's manifest omits islands that share a chunk. */
function recordIslandChunks(found: IslandChunks): Plugin {
  return {
    name: 'meydan:record-island-chunks',
    generateBundle(_, output) {
      for (const chunk of Object.values(output)) {
        if (chunk.type !== 'chunk') continue
        for (const id of chunk.moduleIds.filter((module) => module.endsWith('.island.tsx'))) {
          found.set(relative(root, id).split(sep).join('/'), chunk.fileName)
        }
      }
    },
  }
}

function assetsOf(sources: string, manifest: Manifest, routes: string[], islands: IslandChunks): BuiltAssets {
  const chunk = (key: string) => {
    const found = manifest[key]
    if (!found) throw new Error(`The build has no ${key}.`)
    return found
  }
  // Imports come first, so that the importer's styles override theirs.
  const withImports = (key: string): string[] => [...(chunk(key).imports ?? []).flatMap(withImports), key]
  const script = `/${chunk(`${sources}/page/main.ts`).file}`
  const keyOf = (file: string): string => Object.keys(manifest).find((key) => manifest[key]?.file === file) ?? file
  const chunksOf = (file: string): string[] => {
    const files = withImports(keyOf(file)).map((imported) => `/${chunk(imported).file}`)
    return [...new Set(files)].filter((imported) => imported !== script)
  }
  const stylesOf = (route: string): string[] => [
    ...new Set(withImports(stylesEntry(route)).flatMap((key) => chunk(key).css ?? [])),
  ]
  return {
    script,
    styles: Object.fromEntries(routes.map((route) => [routeName(route), stylesOf(route).map((file) => `/${file}`)])),
    islands: Object.fromEntries([...islands].map(([island, file]) => [`/${island}`, chunksOf(file)])),
  }
}
