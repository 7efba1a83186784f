import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'vite'

/** The minimum of a page with React: react and react-dom in one minified bundle. Prints its brotli size. */
export interface Task {
  folder: string
}

const ENTRY = 'virtual:react-alone'
const SOURCE = `
  import { createElement } from 'react'
  import { hydrateRoot } from 'react-dom/client'
  globalThis.reactAlone = { createElement, hydrateRoot }
`

const { folder } = JSON.parse(process.argv[2] ?? '{}') as Task
await build({
  configFile: false,
  logLevel: 'silent',
  plugins: [
    {
      name: 'bench:react-alone',
      resolveId: (source) => (source === ENTRY ? source : null),
      load: (id) => (id === ENTRY ? SOURCE : null),
    },
  ],
  build: {
    outDir: folder,
    target: 'es2023',
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ENTRY, output: { entryFileNames: 'react.js' } },
  },
})
const bundle = await readFile(join(folder, 'react.js'))
const { length } = brotliCompressSync(bundle, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
console.log(JSON.stringify({ bytes: length }))
