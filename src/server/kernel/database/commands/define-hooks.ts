import type { Transaction } from '../transaction.ts'

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
