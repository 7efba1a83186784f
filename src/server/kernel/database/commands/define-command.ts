import type { UserId } from '../../../../shared/protocol/ids.ts'
import type { Refusal } from '../../../../shared/protocol/refusals.ts'
import type { Reader } from '../read.ts'
import type { Actor, Claims, Transaction } from '../transaction.ts'

/** A user's idempotency key. */
export interface RetryKey {
  userId: UserId
  clientId: string
}

/** The answer of an earlier run, from the row that the command wrote under this key; found by a unique index. */
export type FindEarlierAnswer = (reader: Pick<Reader, 'get'>, key: RetryKey) => object | undefined

/** A write command without the types of its input and answer, as the registry keeps it. */
export interface AnyCommand {
  /** Name on the link and in the metrics; unique in the server. */
  name: string
  /** `primary`: only the primary's own code submits it; the link refuses it. `anyRegion` where it is absent. */
  origin: 'anyRegion' | 'primary'
  /**
   * Where a retry gets its answer: stored for a week, or from the row that the command wrote, as long as that exists, also where
   * the row has changed since: its key alone tells a retry.
   * `never`: a retry runs again, which must do no harm. Where it is absent, `never` for the primary's own, else `week`.
   */
  keepResult: 'week' | 'never' | { inRow: FindEarlierAnswer }
  /** The command changes no row of `tx.cached` but those that it sets there. Other commands' writes empty it. */
  keepsCachedRows?: true
  /** It stores a message of its actor: refused to guests while the disk of the primary is nearly full. */
  storesMessage?: true
  /** The answer waits until another region has the change, if the config of the cluster requires it; not where this is absent. */
  awaitsReplicaAck: boolean
  /** Fields of the input that a retry must repeat; other values are refused with `ClientIdReused`. Unused with `inRow`; `all` where it is absent. */
  retryInput: 'all' | readonly string[]
  /**
   * Runs in the writer, synchronously, in the batch's transaction. A refusal that is no RecordedRefusal rolls it back. It may run twice, the first
   * time without effect, so it must depend on nothing but the transaction and its arguments.
   */
  run(tx: Transaction, actor: Actor | null, input: object): object | Refusal
}

/** A write command with the types of its input and its answer. */
export interface Command<I extends object, A extends object> extends AnyCommand {
  retryInput: 'all' | readonly (keyof I & string)[]
  run(tx: Transaction, actor: Actor | null, input: I): A | Refusal
}

/** What most write commands have. */
const DEFAULTS = { origin: 'anyRegion', keepResult: 'week', awaitsReplicaAck: false, retryInput: 'all' } as const

type CommandDefinition<I extends object, A extends object> = Omit<AnyCommand, keyof typeof DEFAULTS | 'run'> &
  Partial<Pick<AnyCommand, 'origin' | 'keepResult' | 'awaitsReplicaAck'>> & {
    retryInput?: Command<I, A>['retryInput']
    run(tx: Transaction, actor: Actor | null, input: I): A | Refusal
  }

/** Defines a write command. The feature's `commands.ts` lists it. */
export function defineCommand<I extends object, A extends object>(definition: CommandDefinition<I, A>): Command<I, A> {
  return { ...DEFAULTS, ...(definition.origin === 'primary' && { keepResult: 'never' }), ...definition }
}

/** The input of a write command. */
export type InputOf<C> = C extends Command<infer I, infer _> ? I : never

/** Runs a write command. Resolves with the answer once the change is durable, or with a refusal and no change. */
export type Execute = <I extends object, A extends object>(
  command: Command<I, A>,
  actor: Claims | null,
  input: NoInfer<I>,
  options?: ExecuteOptions,
) => Promise<A | Refusal>

export interface ExecuteOptions {
  /** Idempotency key: a retry with the same key has no second effect and gets the same answer. */
  clientId?: string | undefined
}
