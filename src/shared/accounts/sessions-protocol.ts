import * as v from 'valibot'
import { Count, type PersonLimit, route, Time } from '../protocol/define.ts'
import { SessionId } from '../protocol/ids.ts'
import { Platform } from './protocol.ts'

/** The most sessions of one user: a further one ends the one that was seen least recently. */
export const MAX_SESSIONS = 50

/** Ends of own sessions, each of which the writer commits and remembers: 60 at once, then one in 5 seconds. */
const SESSION_END_LIMIT: PersonLimit = { points: 60, perMs: 5 * 60_000 }

/** One of the user's own sessions, as the list of sessions shows it. */
export const OwnSession = v.object({
  id: SessionId,
  /** Browser and operating system by the user agent of the sign-in. */
  device: v.string(),
  platform: Platform,
  /** The region of the sign-in; null on a single node, or if it was not recorded. */
  region: v.nullable(v.string()),
  createdAt: Time,
  /** With a precision of 15 minutes. */
  lastSeenAt: Time,
  /** The session of this request. */
  isCurrent: v.boolean(),
  /** Whether it has an open connection; null: unknown, as other regions may have one. */
  isConnected: v.nullable(v.boolean()),
})
export type OwnSession = v.InferOutput<typeof OwnSession>

export const routes = {
  sessions: route({
    description: `The user's own sessions, the asking one first, then the latest seen; at most ${MAX_SESSIONS}.`,
    method: 'GET',
    path: '/users/sessions',
    access: 'signedIn',
    input: v.object({}),
    answer: v.object({ success: v.literal(true), sessions: v.array(OwnSession) }),
  }),
  endSession: route({
    description: 'Ends one of the own sessions in every region: its connections close and its tokens are refused.',
    method: 'POST',
    path: '/users/sessions/end',
    access: 'signedIn',
    limiter: SESSION_END_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ sessionId: SessionId }),
    answer: v.object({ success: v.literal(true) }),
  }),
  endOtherSessions: route({
    description: 'Ends all own sessions but the asking one, and answers their number.',
    method: 'POST',
    path: '/users/sessions/end-others',
    access: 'signedIn',
    limiter: SESSION_END_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({}),
    answer: v.object({ success: v.literal(true), ended: Count }),
  }),
}
