import type { AppContext } from '../app-context.ts'
import type { Reader } from './read.ts'
import type { Actor, Transaction } from './transact.ts'

/**
 * Hooks by name, each with the type of its input: other features act in the transaction of one feature's command.
 * The feature that runs a hook declares it here by merging; a feature that handles one exports `hooks` from its
 * `transaction-hooks.ts`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add members by declaration merging
export interface TransactionHooks {}

export type HookName = keyof TransactionHooks

/** One feature's handlers. When a handler throws, the whole command fails and is rolled back. */
export type HookHandlers = { [N in HookName]?: (tx: Transaction, input: TransactionHooks[N]) => void }

/**
 * Which files a feature's rows refer to. The feature exports `fileReferences` from its
 * `file-references.ts`, which imports only queries, because the writer loads it too.
 */
export interface FileReferences {
  /** Whether a row refers to the file with this hash. A file without references is deleted after a day. */
  isInUse(reader: Reader, hash: string): boolean
  /** Whether this user may fetch the file; `path` is its name below `/uploads/`. Runs on the main thread only. */
  mayFetch(reader: Reader, viewer: Actor, path: string, appContext: AppContext): boolean
}
