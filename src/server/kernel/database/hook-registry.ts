import { globSync } from 'node:fs'
import type { HookHandlers } from './define-hooks.ts'

const serverFolder = new URL('../../', import.meta.url)
const files = globSync('{kernel,model,features}/*/transaction-hooks.ts', { cwd: serverFolder }).sort()

/** The hook handlers of all features, sorted by feature folder. The writer imports this: no HTTP, no pages. */
export const hookHandlers: readonly HookHandlers[] = await Promise.all(
  files.map(async (file) => {
    const { hooks } = (await import(new URL(file, serverFolder).href)) as { hooks: HookHandlers } // each file exports them
    return hooks
  }),
)
