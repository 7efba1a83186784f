import { Refusal } from '../../shared/protocol/refusals.ts'
import { foldName } from '../../shared/text/turkish.ts'
import { callApi } from '../accounts/call-api.ts'
import { live } from '../live/state.ts'
import { FoundPeople, type PeopleFinder } from './found-people.ts'

/** Everyone who has a name on the site, for root admins. */
const finder: PeopleFinder = {
  async ask({ search, gender }, after) {
    const query = new URLSearchParams({ ...(search && { search }), ...(gender && { gender }), ...(after && { after }) })
    const answer = await callApi<'allUsers'>(`/users/all-users?${query}`, { as: 'admin' })
    if (answer === 'lost' || answer instanceof Refusal) return null
    return { users: answer.users, total: null, next: answer.next }
  },
  // The server's order: by folded name, as it is stored.
  order: (a, b) => compare(foldName(a), foldName(b)),
}

/** Everyone on the site whom the panel shows or finds. */
export const allUsers = new FoundPeople(finder)

live.on('userJoined', ({ user }) => allUsers.joined(user))
live.on('userLeft', ({ username }) => allUsers.statusChanged(username, false))
live.on('userStatusChanged', ({ username, isOnline }) => allUsers.statusChanged(username, isOnline))
live.on('userUpdated', ({ user }) => allUsers.updated(user))
// Too many came and went to be told one by one, or the line was lost in between.
live.on('activeUsers', () => allUsers.lookAgain())

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
