import type { RouteAnswer } from '../../../shared/protocol/catalogue.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import { callApi } from '../../core/http/call-api.ts'

/** One room with its owner and admins. */
export type RoomDetails = RouteAnswer<'roomById'>

/** Rejects when there is no answer, or no such room. */
export async function fetchRoom(roomId: RoomId): Promise<RoomDetails> {
  const answer = await callApi<'roomById'>(`/rooms/${roomId}`, { as: 'anyone' })
  if (isFailure(answer)) throw new Error(`room ${roomId} did not come`, { cause: answer })
  return answer
}
