import * as v from 'valibot'
import { Person } from '../accounts/protocol.ts'
import { Count, ephemeralEvent, route, Text } from '../protocol/define.ts'
import { PEOPLE_PER_PAGE, peopleFilterFields } from '../rooms/protocol.ts'

export const events = {
  activeUsers: ephemeralEvent({
    description: 'The users on the site, for root admins: the first 100 by name, and the total count.',
    payload: v.object({ users: v.array(Person), count: Count }),
  }),
  activeUsersCount: ephemeralEvent({
    description: 'The count of users on the site, at most once a second, to all but root admins.',
    payload: v.object({ count: Count }),
  }),
  userJoined: ephemeralEvent({
    description: 'A user came to the site; for root admins.',
    payload: v.object({ user: Person }),
  }),
  userLeft: ephemeralEvent({
    description: 'A user left the site; for root admins.',
    payload: v.object({ username: v.string() }),
  }),
  userStatusChanged: ephemeralEvent({
    description: "A user in one of the receiver's lists went offline or came back.",
    payload: v.object({ username: v.string(), isOnline: v.boolean() }),
  }),
  userUpdated: ephemeralEvent({
    description: "A user in one of the receiver's lists has a new name, avatar, role or platform.",
    payload: v.object({ user: Person }),
  }),
}

export const routes = {
  allUsers: route({
    description:
      `All users who hold a name, ${PEOPLE_PER_PAGE} at a time, by folded name. \`next\` is the \`after\` of the next ` +
      'page, null on the last one. A search of many users may return a short page before its end.',
    method: 'GET',
    path: '/users/all-users',
    access: 'rootadmin',
    input: v.object({ after: v.optional(Text(64)), ...peopleFilterFields }),
    answer: v.object({ success: v.literal(true), users: v.array(Person), next: v.nullable(v.string()) }),
  }),
}
