import type { CommandAnswer } from '../../shared/protocol/catalogue.ts'
import type { RoomId } from '../../shared/protocol/ids.ts'
import { Refusal } from '../../shared/protocol/refusals.ts'
import { live } from '../live/state.ts'

export type StatusAnswer = CommandAnswer<'getStatus'>

/** The site's present figures, or those of the room that one is in. Rejects when they do not come. */
export async function loadStatus(roomId?: RoomId): Promise<StatusAnswer> {
  const answer = await live.request('getStatus', roomId === undefined ? {} : { roomId })
  if (typeof answer === 'string') throw new Error(`the figures were ${answer}`)
  if (answer instanceof Refusal) throw new Error(answer.body.message)
  return answer
}
