import { relative, sep } from 'node:path'
import type { Plugin } from 'vite'
import { root } from '../../../vite.config.ts'

const STYLES_ENTRY_PREFIX = 'virtual:styles/'
const BUNDLED_STYLE_PREFIX = '\0virtual:whole/'

/** Style files by route file below the project's folder, in the order in which its imports bring them. */
export type StylesByRoute = Map<string, string[]>

/** What no page starts with, and on which routes it can be opened later, by module. */
export type LazyModuleRoutes = Map<string, Set<string>>

/**
 * For the build of the pages bundle: notes which styles each route reaches through static imports, but those for later,
 * and what else it reaches.
 */
export function collectPageStyles(found: StylesByRoute, openedOn: LazyModuleRoutes): Plugin {
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
          openedOn.set(module, (openedOn.get(module) ?? new Set()).add(route))
      }
      for (const module of started) openedOn.delete(module)
    },
  }
}

/** What is imported from `entry` on, at whatever remove; what is imported stands before what imports it. */
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
 * For the build of the browser's files: one stylesheet per route, linked by its document. The same styles imported
 * by an island's chunk are left out there, or they would be loaded twice. Styles of what islands load later
 * are Vite's as usual, but for those that every page has on which they can be opened.
 */
export function emitPageStyles(found: StylesByRoute, openedOn: LazyModuleRoutes): Plugin {
  const shell = new Set([...found].find(([route]) => route.endsWith('/_app.tsx'))?.[1])
  const linked = new Set([...found.values()].flat())
  // One file to wait for; what two pages have in common is too little to be a file of its own.
  const wholeStyle = (route: string): string => {
    const styles = found.get(route) ?? []
    const own = route.endsWith('/_app.tsx') ? styles : styles.filter((style) => !shell.has(style))
    return own.map((style) => `@import ${JSON.stringify(style)};`).join('\n')
  }
  const isLinked = (style: string, importer: string): boolean => {
    const pages = openedOn.get(importer)
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
    // The chunks themselves are empty; last, because Vite reads their styles off them.
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
      if (id.startsWith(BUNDLED_STYLE_PREFIX)) return wholeStyle(id.slice(BUNDLED_STYLE_PREFIX.length, -'.css'.length))
      if (!id.startsWith(`\0${STYLES_ENTRY_PREFIX}`)) return null
      return `import ${JSON.stringify(`${BUNDLED_STYLE_PREFIX}${id.slice(STYLES_ENTRY_PREFIX.length + 1)}.css`)}`
    },
  }
}

/** The name under which a route's styles are built. */
export function stylesEntry(route: string): string {
  return STYLES_ENTRY_PREFIX + route
}

/** `sheet.later.css` dresses what no server renders, so it comes with the chunk that draws it. */
function isLazyStyle(id: string): boolean {
  return /\.later\.css(\?|$)/.test(id)
}

function isStyle(id: string): boolean {
  return /\.css(\?|$)/.test(id)
}

/** `/x/routes/room/[id].tsx` is `room/[id]`. */
export function routeName(file: string): string {
  return file.replace(/^.*?\/routes\//, '').replace(/\.tsx$/, '')
}
