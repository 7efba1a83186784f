import * as v from 'valibot'
import { command, ephemeralEvent } from '../protocol/define.ts'
import { UserId } from '../protocol/ids.ts'
import { MAX_WATCHED_PROFILES, PROFILE_READ_LIMIT } from './limits.ts'

export const commands = {
  watchProfile: command({
    description:
      "Watches an open profile: this connection gets `profileViewChanged` and the user's `userStatusChanged` until " +
      '`unwatchProfile` or its end. The answer has what holds then: fetch a profile that says otherwise again. A ' +
      `connection watches ${MAX_WATCHED_PROFILES} profiles; one more ends the oldest.`,
    access: 'signedIn',
    limiter: PROFILE_READ_LIMIT,
    input: v.object({ userId: UserId }),
    answer: v.object({ success: v.literal(true), canViewProfile: v.boolean(), isOnline: v.boolean() }),
  }),
  unwatchProfile: command({
    description: 'Ends `watchProfile`.',
    access: 'signedIn',
    input: v.object({ userId: UserId }),
    answer: v.object({ success: v.literal(true) }),
  }),
}

export const events = {
  profileViewChanged: ephemeralEvent({
    description:
      'A watched account became private or public, and that changes what the viewer sees of it: fetch the profile ' +
      'again. Viewers who see the same as before get nothing.',
    payload: v.object({ userId: UserId }),
  }),
}
