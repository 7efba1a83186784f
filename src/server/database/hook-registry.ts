import { globSync } from 'node:fs'
import type { HookHandlers } from './define-hooks.ts'

const serverFolder = new URL('../', import.meta.url)
const files = globSync('*/transaction-hooks.ts', { cwd: serverFolder }).sort()

/** The hooks that features fill, by the order of the features' names. Loads nothing of HTTP or of pages. */
export const hookHandlers: readonly HookHandlers[] = await Promise.all(
  files.map(async (file) => {
    const { hooks } = (await import(new URL(file, serverFolder).href)) as { hooks: HookHandlers } // each file exports them
    return hooks
  }),
)
