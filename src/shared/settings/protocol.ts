import * as v from 'valibot'
import { ClientId, command, loggedEvent, Text } from '../protocol/define.ts'
import { UserId } from '../protocol/ids.ts'
import { OWN_CHANGE_LIMIT } from './limits.ts'
import { PrivacyChanges } from './rules.ts'

export const commands = {
  updatePrivacySettings: command({
    description:
      "Changes the sender's privacy settings; settings that are left out keep their value. Guests save them only by " +
      'this command. The answer has a renewed token.',
    access: 'signedIn',
    limiter: OWN_CHANGE_LIMIT,
    identityFields: ['username'],
    retry: 'clientId',
    input: v.object({
      ...PrivacyChanges.entries,
      username: v.optional(Text(64)),
      clientId: v.optional(ClientId),
    }),
    answer: v.object({ success: v.literal(true), token: v.string() }),
  }),
}

export const events = {
  privacyChanged: loggedEvent({
    description: 'The user has changed who may contact them, on one of their devices; to their own connections.',
    payload: v.object({ userId: UserId }),
  }),
  accountPrivacyChanged: loggedEvent({
    description: 'The account of the user became private or public; to their own connections.',
    payload: v.object({ userId: UserId }),
  }),
}
