import type { Plugin } from 'vite'

/** What the site and React's packages use of each other, by module; the browser's build omits the rest. */
export const usedExports = {
  react: [
    ...['Fragment', 'createContext', 'createElement', 'memo', 'startTransition', 'useCallback', 'useContext'],
    ...['useEffect', 'useId', 'useLayoutEffect', 'useMemo', 'useRef', 'useState', 'useSyncExternalStore', 'version'],
    '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
  ],
  'react-dom': ['createPortal', 'flushSync', '__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'],
  scheduler: [
    ...['IdlePriority', 'ImmediatePriority', 'LowPriority', 'NormalPriority', 'UserBlockingPriority'],
    ...['cancelCallback', 'getCurrentPriorityLevel', 'now', 'requestPaint', 'scheduleCallback', 'shouldYield'],
  ].map((name) => `unstable_${name}`),
}

const PRODUCTION_FILE = /\/node_modules\/(react|react-dom|scheduler)\/cjs\/\1\.production\.js$/
/** A statement that sets an export: its first line, and those that are indented or begin with a closing bracket. */
const EXPORT_STATEMENT = /^exports\.(\w+) =.*\n(?:[ \t)}\]].*\n)*/gm

/**
 * Removes exports of React that nothing uses, which a bundler keeps, because these packages are CommonJS: 2 KB of each
 * room. `react-exports.test.ts` checks that nothing else is imported.
 */
export const omitUnusedReactExports: Plugin = {
  name: 'meydan:omit-unused-react-exports',
  transform: {
    filter: { id: PRODUCTION_FILE },
    handler(code, id) {
      // The filter has matched.
      const module = PRODUCTION_FILE.exec(id)?.[1] as keyof typeof usedExports
      return { code: omitExports(code, usedExports[module]), map: null }
    },
  },
}

/** The code of a CommonJS module without its other exports. Throws where a used one is not there. */
export function omitExports(code: string, used: readonly string[]): string {
  const names = [...code.matchAll(EXPORT_STATEMENT)].map(([, name]) => name)
  const missing = used.filter((name) => !names.includes(name))
  if (missing.length > 0) throw new Error(`React has changed: no export ${missing.join()}`)
  return code.replace(EXPORT_STATEMENT, (statement, name: string) => (used.includes(name) ? statement : ''))
}
