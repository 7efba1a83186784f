import type { Plugin } from 'vite'
import { root } from '../../../../vite.config.ts'

/** The id of Vite's wrapper around every `import()` of a build. */
const VITE_PRELOAD_HELPER = '\0vite/preload-helper.js'

/** Plugin of the browser build: routes every `import()` through `src/client/core/loading/load-chunk.ts`, which retries. */
export const retryingImports: Plugin = {
  name: 'meydan:retrying-imports',
  enforce: 'pre',
  resolveId: (source) => (source === VITE_PRELOAD_HELPER ? `${root}src/client/core/loading/load-chunk.ts` : null),
}
