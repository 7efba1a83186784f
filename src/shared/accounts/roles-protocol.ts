import * as v from 'valibot'
import { loggedEvent, route } from '../protocol/define.ts'
import { NameInput, Role } from './protocol.ts'

const SuccessAnswer = v.object({ success: v.literal(true) })

export const events = {
  userRoleUpdated: loggedEvent({
    description:
      'Somebody is a root admin from now on, or no more. Their own lines hear `admins`, or hear it no more, from then ' +
      'on; a client whose own role it is asks for fresh tokens.',
    hiddenByBlock: false,
    effect: 'none',
    payload: v.object({ username: v.string(), role: Role }),
  }),
}

export const routes = {
  promoteUser: route({
    description:
      'Makes a member a root admin. Who is one already stays one; neither a guest nor a banned person can be.',
    method: 'POST',
    path: '/root-admin/promote-user-to-rootadmin',
    access: 'rootadmin',
    limiter: null,
    identityFields: [],
    retry: 'idempotencyKey',
    input: v.object({ username: NameInput }),
    answer: SuccessAnswer,
  }),
  demoteUser: route({
    description: 'Makes a root admin a member again. Nobody does so to themselves: so there is always one left.',
    method: 'POST',
    path: '/root-admin/demote-user-to-rootadmin',
    access: 'rootadmin',
    limiter: null,
    identityFields: [],
    retry: 'idempotencyKey',
    input: v.object({ username: NameInput }),
    answer: SuccessAnswer,
  }),
}

type OwnEvents = typeof events
type OwnRoutes = typeof routes
declare module '../protocol/catalogue.ts' {
  interface Events extends OwnEvents {}
  interface Routes extends OwnRoutes {}
}
