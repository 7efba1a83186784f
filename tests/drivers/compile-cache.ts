import { join } from 'node:path'

/**
 * Environment of every site that tests start: Node keeps compiled modules in this folder, which halves the processor time of
 * a start. A module that changes is compiled again.
 */
export const COMPILE_CACHE_ENV = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../.cache/compiled') }
