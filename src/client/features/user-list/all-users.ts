import { isFailure } from '../../../shared/protocol/result.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import { callApi } from '../../core/http/call-api.ts'
import { live } from '../../core/live/state.ts'
import { UserSearch, type UserSearchSource } from '../../core/presence/user-search.ts'

/** All registered users and guests, for root admins. */
const allUsersSource: UserSearchSource = {
  async fetchPage({ search, gender }, after) {
    const query = new URLSearchParams({ ...(search && { search }), ...(gender && { gender }), ...(after && { after }) })
    const answer = await callApi<'allUsers'>(`/users/all-users?${query}`, { as: 'admin' })
    if (isFailure(answer)) return null
    return { users: answer.users, total: null, next: answer.next }
  },
  // The server's order: by folded name, as it is stored.
  compareNames: (a, b) => compareStrings(foldName(a), foldName(b)),
}

/** The search of the panel of all users. */
export const allUsers = new UserSearch(allUsersSource)

live.on('userJoined', ({ user }) => allUsers.addUser(user))
live.on('userLeft', ({ username }) => allUsers.setOnlineStatus(username, false))
live.on('userStatusChanged', ({ username, isOnline }) => allUsers.setOnlineStatus(username, isOnline))
live.on('userUpdated', ({ user }) => allUsers.updateUser(user))
// Sent instead of single changes when there are too many, and after a lost connection.
live.on('activeUsers', () => allUsers.refresh())

function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
