import * as v from 'valibot'
import { Person } from '../accounts/protocol.ts'
import { Count, event } from '../protocol/define.ts'

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
}
