import { Refusal } from './refusals.ts'

/** Why there is no answer: the request failed or the connection closed (`disconnected`), or a live one took too long (`timedOut`). */
export type NoAnswer = 'disconnected' | 'timedOut'

/** What a request or a command gives: its answer, the server's refusal, or why there is none. */
export type Result<T> = T | Refusal | NoAnswer

/** Whether a request got no answer or a refusal. */
export function isFailure<T>(result: T): result is Extract<T, Refusal | string> {
  return typeof result === 'string' || result instanceof Refusal
}
