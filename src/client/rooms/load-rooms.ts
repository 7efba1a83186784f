import { Refusal } from '../../shared/protocol/refusals.ts'
import { live } from '../live/state.ts'
import { counts } from './people-state.ts'

/** Fetches the list of rooms anew; false when it did not come. */
export async function loadRooms(): Promise<boolean> {
  const answer = await live.request('getRooms', {})
  if (typeof answer === 'string' || answer instanceof Refusal) return false
  counts.list(answer.rooms)
  return true
}
