import { Refusal } from '../../../shared/protocol/refusals.ts'

/** Whether a request got no answer or a refusal, over HTTP or over the live connection. */
export function isFailure<T>(answer: T): answer is Extract<T, Refusal | string> {
  return typeof answer === 'string' || answer instanceof Refusal
}
