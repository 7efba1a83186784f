import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../../vite.config.ts'
import { omitExports, usedExports } from './react-exports.ts'

/** Used by `kept-html.tsx` on the server only, in code that the browser's build removes. */
const SERVER_ONLY = ['Children', 'isValidElement']
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const browserFiles = [
  ...globSync('{src/client,src/shared,tests/islands/site}/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*'] }),
  'node_modules/@preact/signals-react/runtime/dist/runtime.mjs',
]

/** The values that `text` imports from a module by name. */
function importedNames(text: string, module: string): string[] {
  const imports = text.matchAll(new RegExp(`import\\s*\\{([^}]*)\\}\\s*from\\s*["']${module}["']`, 'g'))
  return [...imports].flatMap(([, names = '']) =>
    names.split(',').flatMap((name) => name.trim().match(/^(?!type )\w+/)?.[0] ?? []),
  )
}

describe.each(['react', 'react-dom', 'scheduler'] as const)('the exports of %s', (module) => {
  it('are kept where the site imports them', () => {
    const imported = browserFiles.flatMap((file) => importedNames(read(file), module))
    const kept = [...usedExports[module], ...SERVER_ONLY]
    expect(imported.filter((name) => !kept.includes(name))).toEqual([])
    if (module === 'react') expect(imported).toContain('useState')
  })

  it('are kept where react-dom uses them', () => {
    const variables = { react: 'React', 'react-dom': 'ReactDOM', scheduler: 'Scheduler' }
    const texts = ['react-dom/cjs/react-dom-client.production.js', 'react-dom/cjs/react-dom.production.js'].map(
      (file) => read(`node_modules/${file}`),
    )
    const used = texts.join('').matchAll(new RegExp(`\\b${variables[module]}\\.(\\w+)`, 'g'))
    // Called only where a development build of the scheduler has them.
    const guarded = ['log', 'unstable_setDisableYieldValue']
    const names = [...new Set([...used].map(([, name = '']) => name))].filter((name) => !guarded.includes(name))
    expect(names.filter((name) => !usedExports[module].includes(name))).toEqual([])
  })

  it('are found in the package, and the others are left out', () => {
    const code = omitExports(read(`node_modules/${module}/cjs/${module}.production.js`), usedExports[module])
    const exports: Record<string, unknown> = {}
    new Function('exports', 'require', code)(exports, () => ({
      __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: {},
    }))
    expect(Object.keys(exports).sort()).toEqual([...usedExports[module]].sort())
  })
})

it('a React without a used export fails the build', () => {
  expect(() => omitExports('exports.useState = function () {\n  return 1;\n};\n', ['useState', 'useId'])).toThrow(
    'useId',
  )
})
