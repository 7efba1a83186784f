import { Refusal } from '../../../shared/protocol/refusals.ts'

/** Why a request failed: the server's refusal, or why there is no answer, over HTTP or over the live connection. */
export type Failure = Refusal | 'noAnswer' | 'disconnected' | 'timedOut'

/** What a request or a command gives. */
export type Result<T> = T | Failure

/** Whether a request got no answer or a refusal. */
export function isFailure<T>(result: T): result is Extract<T, Refusal | string> {
  return typeof result === 'string' || result instanceof Refusal
}
