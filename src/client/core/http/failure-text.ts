import { Refusal } from '../../../shared/protocol/refusals.ts'

/** Why a request failed, in Turkish: the server's message of a refusal, else `withoutAnswer`. */
export function failureText(failure: Refusal | string, withoutAnswer: string): string {
  return failure instanceof Refusal ? failure.body.message : withoutAnswer
}
