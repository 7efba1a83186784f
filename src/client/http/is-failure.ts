import { Refusal } from '../../shared/protocol/refusals.ts'

/** Whether a request brought no answer or was refused, over HTTP and over the live protocol alike. */
export function isFailure<T>(answer: T): answer is Extract<T, Refusal | string> {
  return typeof answer === 'string' || answer instanceof Refusal
}
