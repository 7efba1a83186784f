import type { CommandAnswer } from '../../../shared/protocol/catalogue.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { live } from '../../core/live/state.ts'

export type StatusAnswer = CommandAnswer<'getStatus'>

/** The present user counts of the site, or of the viewer's room. Rejects without an answer or on a refusal. */
export async function loadStatus(roomId?: RoomId): Promise<StatusAnswer> {
  const answer = await live.request('getStatus', roomId === undefined ? {} : { roomId })
  if (typeof answer === 'string') throw new Error(`getStatus got no answer: ${answer}`)
  if (answer instanceof Refusal) throw new Error(answer.body.message)
  return answer
}
