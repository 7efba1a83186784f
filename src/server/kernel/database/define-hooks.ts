import type { AppContext } from '../app-context.ts'
import type { Reader } from './read.ts'
import type { Actor, Transaction } from './transact.ts'

/** A step of some command in whose transaction other features act. The noun of the model that runs it defines it. */
export class Hook<I> {
  /** What a feature does in this step. When it throws, the whole command fails and is rolled back. */
  handledBy(run: (tx: Transaction, input: I) => void): HookHandler {
    return { hook: this, run }
  }
}

/** A handler of some hook, which takes the input of that hook. */
export interface HookHandler {
  hook: unknown
  run(tx: Transaction, input: never): void
}

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
