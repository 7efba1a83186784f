import { relative, sep } from 'node:path'
import type { Plugin } from 'vite'
import { root } from '../../../vite.config.ts'

const PREFIX = 'virtual:styles/'
const WHOLE = '\0virtual:whole/'

/** Style files by route file below the project's folder, in the order in which its imports bring them. */
export type StylesByRoute = Map<string, string[]>

/** For the build of the pages bundle: notes which styles each route reaches through static imports, but those for later. */
export function collectPageStyles(found: StylesByRoute): Plugin {
  return {
    name: 'meydan:collect-page-styles',
    generateBundle() {
      for (const id of this.getModuleIds()) {
        if (!/\/routes\/.*\.tsx$/.test(id)) continue
        const styles = new Set<string>()
        const visited = new Set<string>()
        const visit = (module: string): void => {
          if (visited.has(module)) return
          visited.add(module)
          for (const imported of this.getModuleInfo(module)?.importedIds ?? []) visit(imported)
          if (isStyle(module) && !isForLater(module)) styles.add(module)
        }
        visit(id)
        found.set(relative(root, id).split(sep).join('/'), [...styles])
      }
    },
  }
}

/**
 * For the build of the browser's files: one stylesheet per route, linked by its document. The same styles imported
 * by an island's chunk are left out there, or they would be loaded twice. Styles of what islands load later
 * are Vite's as usual.
 */
export function emitPageStyles(found: StylesByRoute): Plugin {
  const shell = new Set([...found].find(([route]) => route.endsWith('/_app.tsx'))?.[1])
  const linked = new Set([...found.values()].flat())
  // One file to wait for; what two pages have in common is too little to be a file of its own.
  const wholeStyle = (route: string): string => {
    const styles = found.get(route) ?? []
    const own = route.endsWith('/_app.tsx') ? styles : styles.filter((style) => !shell.has(style))
    return own.map((style) => `@import ${JSON.stringify(style)};`).join('\n')
  }
  return {
    name: 'meydan:emit-page-styles',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source.startsWith(PREFIX)) return `\0${source}`
      if (source.startsWith(WHOLE)) return source
      if (importer && isStyle(source) && !importer.startsWith('\0')) {
        return this.resolve(source, importer, { skipSelf: true }).then((resolved) =>
          resolved && linked.has(resolved.id) && !isStyle(importer) ? '\0virtual:linked-style' : resolved,
        )
      }
      return null
    },
    // The chunks themselves are empty; last, because Vite reads their styles off them.
    generateBundle: {
      order: 'post',
      handler(_, output) {
        for (const [file, chunk] of Object.entries(output)) {
          if (chunk.type === 'chunk' && chunk.facadeModuleId?.startsWith(`\0${PREFIX}`)) delete output[file]
        }
      },
    },
    load(id) {
      if (id === '\0virtual:linked-style') return ''
      if (id.startsWith(WHOLE)) return wholeStyle(id.slice(WHOLE.length, -'.css'.length))
      if (!id.startsWith(`\0${PREFIX}`)) return null
      return `import ${JSON.stringify(`${WHOLE}${id.slice(PREFIX.length + 1)}.css`)}`
    },
  }
}

/** The name under which a route's styles are built. */
export function stylesEntry(route: string): string {
  return PREFIX + route
}

/** `sheet.later.css` dresses what no server renders, so it comes with the chunk that draws it. */
function isForLater(id: string): boolean {
  return /\.later\.css(\?|$)/.test(id)
}

function isStyle(id: string): boolean {
  return /\.css(\?|$)/.test(id)
}

/** `/x/routes/room/[id].tsx` is `room/[id]`. */
export function routeName(file: string): string {
  return file.replace(/^.*?\/routes\//, '').replace(/\.tsx$/, '')
}
