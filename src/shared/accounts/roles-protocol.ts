import * as v from 'valibot'
import { loggedEvent, route } from '../protocol/define.ts'
import { NameInput, Role } from './protocol.ts'

const SuccessAnswer = v.object({ success: v.literal(true) })

export const events = {
  userRoleUpdated: loggedEvent({
    description:
      "A user has become a root admin or a member. The user's own connections gain or lose the stream `admins`; a " +
      'client whose own role changes refreshes its tokens.',
    payload: v.object({ username: v.string(), role: Role }),
  }),
}

export const routes = {
  promoteUser: route({
    description: 'Makes a member a root admin. For a root admin nothing changes; guests and banned users are refused.',
    method: 'POST',
    path: '/root-admin/promote-user-to-rootadmin',
    access: 'rootadmin',
    retry: 'idempotencyKey',
    input: v.object({ username: NameInput }),
    answer: SuccessAnswer,
  }),
  demoteUser: route({
    description: 'Makes a root admin a member. Root admins cannot demote themselves, so one always remains.',
    method: 'POST',
    path: '/root-admin/demote-user-to-rootadmin',
    access: 'rootadmin',
    retry: 'idempotencyKey',
    input: v.object({ username: NameInput }),
    answer: SuccessAnswer,
  }),
}
