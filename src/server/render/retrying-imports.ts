import type { Plugin } from 'vite'
import { root } from '../../../vite.config.ts'

/** Vite's name for what it wraps around every `import()` in a build. */
const VITE_PRELOAD_HELPER = '\0vite/preload-helper.js'

/** For the build of the browser's files: every `import()` goes through `src/client/load-chunk.ts`, which tries again. */
export const retryingImports: Plugin = {
  name: 'meydan:own-imports',
  enforce: 'pre',
  resolveId: (source) => (source === VITE_PRELOAD_HELPER ? `${root}src/client/load-chunk.ts` : null),
}
