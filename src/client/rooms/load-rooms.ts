import { Refusal } from '../../shared/protocol/refusals.ts'
import { live } from '../live/state.ts'
import { onlineCounts } from './room-users-state.ts'

/** Fetches the list of rooms anew; false when it did not come. */
export async function loadRooms(): Promise<boolean> {
  const answer = await live.request('getRooms', {})
  if (typeof answer === 'string' || answer instanceof Refusal) return false
  onlineCounts.setRooms(answer.rooms)
  return true
}
