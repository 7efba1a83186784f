import { globSync } from 'node:fs'
import type { AppContext } from '../../kernel/app-context.ts'
import type { FileReferences } from '../../kernel/database/define-hooks.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor } from '../../kernel/database/transact.ts'

const serverFolder = new URL('../../', import.meta.url)
const files = globSync('{model,features}/*/file-references.ts', { cwd: serverFolder }).sort()
const references = await Promise.all(
  files.map(async (file) => {
    const module = (await import(new URL(file, serverFolder).href)) as { fileReferences: FileReferences } // each file exports them
    return module.fileReferences
  }),
)

/** Whether any feature references the file with this hash. */
export function isFileInUse(reader: Reader, hash: string): boolean {
  return references.some((feature) => feature.isInUse(reader, hash))
}

/** Whether any feature allows this user to fetch the file. */
export function mayFetchFile(appContext: AppContext, viewer: Actor, path: string): boolean {
  return references.some((feature) => feature.mayFetch(appContext.reader, viewer, path, appContext))
}
