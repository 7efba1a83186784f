import * as v from 'valibot'
import { Person } from '../accounts/protocol.ts'
import { Count, event, route, Text } from '../protocol/define.ts'
import { Narrowed, PEOPLE_PER_PAGE } from '../rooms/protocol.ts'

export const events = {
  activeUsers: event({
    about: 'Everyone on the site, for root admins: the first 100 by name, and how many there are.',
    kept: false,
    payload: v.object({ users: v.array(Person), count: Count }),
  }),
  activeUsersCount: event({
    about: 'How many people are on the site, at most once a second, to all but root admins.',
    kept: false,
    payload: v.object({ count: Count }),
  }),
  userJoined: event({
    about: 'A person came to the site; for root admins.',
    kept: false,
    payload: v.object({ user: Person }),
  }),
  userLeft: event({
    about: 'A person left the site; for root admins.',
    kept: false,
    payload: v.object({ username: v.string() }),
  }),
  userStatusChanged: event({
    about: 'A person whom the receiver sees went offline or came back.',
    kept: false,
    payload: v.object({ username: v.string(), isOnline: v.boolean() }),
  }),
  userUpdated: event({
    about: 'Somebody whom the receiver sees is shown in another way from now on: by name, face, role or platform.',
    kept: false,
    payload: v.object({ user: Person }),
  }),
}

export const routes = {
  allUsers: route({
    about:
      `Everyone who has a name on the site, ${PEOPLE_PER_PAGE} at a time, by folded name. \`next\`, where there is one, is ` +
      'the `after` that goes on; a search through very many may answer with fewer before it is through.',
    method: 'GET',
    path: '/users/all-users',
    access: 'rootadmin',
    input: v.object({ after: v.optional(Text(64)), ...Narrowed }),
    answer: v.object({ success: v.literal(true), users: v.array(Person), next: v.nullable(v.string()) }),
  }),
}
