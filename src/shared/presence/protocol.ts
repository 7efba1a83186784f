import * as v from 'valibot'
import { Person } from '../accounts/protocol.ts'
import { Count, ephemeralEvent, route, Text } from '../protocol/define.ts'
import { PEOPLE_PER_PAGE, peopleFilterFields } from '../rooms/protocol.ts'

export const events = {
  activeUsers: ephemeralEvent({
    description: 'Everyone on the site, for root admins: the first 100 by name, and how many there are.',
    payload: v.object({ users: v.array(Person), count: Count }),
  }),
  activeUsersCount: ephemeralEvent({
    description: 'How many people are on the site, at most once a second, to all but root admins.',
    payload: v.object({ count: Count }),
  }),
  userJoined: ephemeralEvent({
    description: 'A person came to the site; for root admins.',
    payload: v.object({ user: Person }),
  }),
  userLeft: ephemeralEvent({
    description: 'A person left the site; for root admins.',
    payload: v.object({ username: v.string() }),
  }),
  userStatusChanged: ephemeralEvent({
    description: 'A person whom the receiver sees went offline or came back.',
    payload: v.object({ username: v.string(), isOnline: v.boolean() }),
  }),
  userUpdated: ephemeralEvent({
    description:
      'Somebody whom the receiver sees is shown in another way from now on: by name, face, role or platform.',
    payload: v.object({ user: Person }),
  }),
}

export const routes = {
  allUsers: route({
    description:
      `Everyone who has a name on the site, ${PEOPLE_PER_PAGE} at a time, by folded name. \`next\`, where there is one, is ` +
      'the `after` that goes on; a search through very many may answer with fewer before it is through.',
    method: 'GET',
    path: '/users/all-users',
    access: 'rootadmin',
    limiter: null,
    identityFields: [],
    retry: 'none',
    input: v.object({ after: v.optional(Text(64)), ...peopleFilterFields }),
    answer: v.object({ success: v.literal(true), users: v.array(Person), next: v.nullable(v.string()) }),
  }),
}

type OwnEvents = typeof events
type OwnRoutes = typeof routes
declare module '../protocol/catalogue.ts' {
  interface Events extends OwnEvents {}
  interface Routes extends OwnRoutes {}
}
