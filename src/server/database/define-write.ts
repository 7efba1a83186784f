import type { Refusal } from '../../shared/protocol/refusals.ts'
import type { Actor, Claims, Transaction } from './transact.ts'

/** A write command as the registry holds it. */
export interface AnyWrite {
  /** Its name on the link and in the metrics, once in the whole server. */
  name: string
  /** `primary`: the primary runs it for itself, and it never comes over the link. */
  origin: 'anyRegion' | 'primary'
  /** How long a retry gets the first answer. `never`: it runs again, which must do no harm. */
  keepResult: 'forever' | 'week' | 'never'
  /** Answered only once another region has the change too, where there are several and the site asks for that. */
  awaitsReplicaAck: boolean
  /** Which fields of the input a retry must repeat; with other values it is refused with `ClientIdReused`. */
  retryInput: 'all' | readonly string[]
  /** Runs in the writer, synchronously, in a savepoint of the batch's transaction. A refusal leaves nothing behind. */
  run(tx: Transaction, actor: Actor | null, input: object): object | Refusal
}

/** A write command with the types of its input and its answer. */
export interface Write<I extends object, A extends object> extends AnyWrite {
  retryInput: 'all' | readonly (keyof I & string)[]
  run(tx: Transaction, actor: Actor | null, input: I): A | Refusal
}

/** A write command. It stands in its feature's `writes.ts`, where the writer finds it. */
export function defineWrite<I extends object, A extends object>(write: Write<I, A>): Write<I, A> {
  return write
}

/** The input of a write command. */
export type InputOf<W> = W extends Write<infer I, infer _> ? I : never

/** Runs a write command. Resolves when the change is durable, or with the refusal. A refusal leaves no change behind. */
export type Execute = <I extends object, A extends object>(
  write: Write<I, A>,
  actor: Claims | null,
  input: NoInfer<I>,
  options?: ExecuteOptions,
) => Promise<A | Refusal>

export interface ExecuteOptions {
  /** Makes a retry have one effect and get the same answer. */
  clientId?: string | undefined
}
