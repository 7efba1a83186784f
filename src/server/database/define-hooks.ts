import type { Reader } from './read.ts'
import type { Actor, Transaction } from './transact.ts'

/**
 * Moments of one feature's commands at which other features act in the same transaction, each with what it passes on.
 * The feature that runs a hook merges it in; a feature that fills one exports `hooks` from its `transaction-hooks.ts`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add its members
export interface TransactionHooks {}

export type HookName = keyof TransactionHooks

/** What one feature does at these moments. When it throws, the whole command fails and leaves nothing behind. */
export type HookHandlers = { [N in HookName]?: (tx: Transaction, input: TransactionHooks[N]) => void }

/**
 * What a feature says of the files that its rows name, by their path below the site. It exports `fileReferences` from its
 * `file-references.ts`, which imports its queries and nothing else: the writer loads it too.
 */
export interface FileReferences {
  /** Whether a row names the file. A file that no feature names is deleted after a day. */
  isInUse(reader: Reader, path: string): boolean
  /** Whether this person may fetch the file. */
  mayFetch(reader: Reader, viewer: Actor, path: string): boolean
}
