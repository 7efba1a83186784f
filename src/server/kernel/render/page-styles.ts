import { relative, sep } from 'node:path'
import type { Plugin } from 'vite'
import { root } from '../../../../vite.config.ts'

const STYLES_ENTRY_PREFIX = 'virtual:styles/'
const BUNDLED_STYLE_PREFIX = '\0virtual:whole/'

/** Style files by route file, in import order; paths below the project's folder. */
export type StylesByRoute = Map<string, string[]>

/** Modules that no page loads at the start, with the routes on which they can be loaded later. */
export type LazyModuleRoutes = Map<string, Set<string>>

/**
 * Plugin of the pages bundle: records the styles that each route imports statically, without `*.lazy.css`, and the
 * modules that it can load later.
 */
export function collectPageStyles(found: StylesByRoute, lazyModules: LazyModuleRoutes): Plugin {
  return {
    name: 'meydan:collect-page-styles',
    generateBundle() {
      const imports = (module: string) => this.getModuleInfo(module)?.importedIds ?? []
      const all = (module: string) => [
        ...imports(module),
        ...(this.getModuleInfo(module)?.dynamicallyImportedIds ?? []),
      ]
      const started = new Set<string>()
      for (const id of this.getModuleIds()) {
        if (!/\/routes\/.*\.tsx$/.test(id)) continue
        const route = relative(root, id).split(sep).join('/')
        const ownModules = importClosure(id, imports)
        found.set(
          route,
          ownModules.filter((module) => isStyle(module) && !isLazyStyle(module)),
        )
        for (const module of ownModules) started.add(module)
        for (const module of importClosure(id, all))
          lazyModules.set(module, (lazyModules.get(module) ?? new Set()).add(route))
      }
      for (const module of started) lazyModules.delete(module)
    },
  }
}

/** The direct and indirect imports of `entry` and itself; each module comes after its imports. */
function importClosure(entry: string, importsOf: (module: string) => readonly string[]): string[] {
  const found = new Set<string>()
  const visited = new Set<string>()
  const visit = (module: string): void => {
    if (visited.has(module)) return
    visited.add(module)
    importsOf(module).forEach(visit)
    found.add(module)
  }
  visit(entry)
  return [...found]
}

/**
 * Plugin of the browser build: emits one stylesheet per route, linked by its document. Chunks omit the styles that the
 * pages loading them already link, because they would be loaded twice; Vite handles the others as usual.
 */
export function emitPageStyles(found: StylesByRoute, lazyModules: LazyModuleRoutes): Plugin {
  const shell = new Set([...found].find(([route]) => route.endsWith('/_app.tsx'))?.[1])
  const linked = new Set([...found.values()].flat())
  // One file per route; pages share too little for a common file to pay off.
  const bundledStyle = (route: string): string => {
    const styles = found.get(route) ?? []
    const own = route.endsWith('/_app.tsx') ? styles : styles.filter((style) => !shell.has(style))
    return own.map((style) => `@import ${JSON.stringify(style)};`).join('\n')
  }
  const isLinked = (style: string, importer: string): boolean => {
    const pages = lazyModules.get(importer)
    if (!pages) return linked.has(style)
    return shell.has(style) || [...pages].every((route) => found.get(route)?.includes(style))
  }
  return {
    name: 'meydan:emit-page-styles',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source.startsWith(STYLES_ENTRY_PREFIX)) return `\0${source}`
      if (source.startsWith(BUNDLED_STYLE_PREFIX)) return source
      if (importer && isStyle(source) && !importer.startsWith('\0')) {
        return this.resolve(source, importer, { skipSelf: true }).then((resolved) =>
          resolved && isLinked(resolved.id, importer) && !isStyle(importer) ? '\0virtual:linked-style' : resolved,
        )
      }
      return null
    },
    // Removes the empty chunks of style entries, after Vite has read their styles.
    generateBundle: {
      order: 'post',
      handler(_, output) {
        for (const [file, chunk] of Object.entries(output)) {
          if (chunk.type === 'chunk' && chunk.facadeModuleId?.startsWith(`\0${STYLES_ENTRY_PREFIX}`))
            delete output[file]
        }
      },
    },
    load(id) {
      if (id === '\0virtual:linked-style') return ''
      if (id.startsWith(BUNDLED_STYLE_PREFIX))
        return bundledStyle(id.slice(BUNDLED_STYLE_PREFIX.length, -'.css'.length))
      if (!id.startsWith(`\0${STYLES_ENTRY_PREFIX}`)) return null
      return `import ${JSON.stringify(`${BUNDLED_STYLE_PREFIX}${id.slice(STYLES_ENTRY_PREFIX.length + 1)}.css`)}`
    },
  }
}

/** The name under which a route's styles are built. */
export function stylesEntry(route: string): string {
  return STYLES_ENTRY_PREFIX + route
}

/** `*.lazy.css` styles elements that the server never renders, so it belongs to the chunk that renders them. */
function isLazyStyle(id: string): boolean {
  return /\.lazy\.css(\?|$)/.test(id)
}

function isStyle(id: string): boolean {
  return /\.css(\?|$)/.test(id)
}

/** `/x/routes/room/[id].tsx` is `room/[id]`. */
export function routeName(file: string): string {
  return file.replace(/^.*?\/routes\//, '').replace(/\.tsx$/, '')
}
