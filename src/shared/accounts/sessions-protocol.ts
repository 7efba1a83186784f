import * as v from 'valibot'
import { Count, route, Time } from '../protocol/define.ts'
import { SessionId } from '../protocol/ids.ts'
import { Platform } from './protocol.ts'

/** How many sessions somebody has: one more ends the one that was not seen for longest. */
export const MAX_SESSIONS = 50

/** One of the own sessions, for its owner to know it again. */
export const OwnSession = v.object({
  id: SessionId,
  /** The browser and its system in a few words, as they said of themselves when it was opened. */
  device: v.string(),
  platform: Platform,
  /** Where it was opened; null where the site is in one region alone, or the session is older than this was kept. */
  region: v.nullable(v.string()),
  createdAt: Time,
  /** To the quarter of an hour. */
  lastSeenAt: Time,
  /** The one that asks. */
  isCurrent: v.boolean(),
  /** Whether a line of it is open now; null where it may be, in another region. */
  isConnected: v.nullable(v.boolean()),
})
export type OwnSession = v.InferOutput<typeof OwnSession>

export const routes = {
  sessions: route({
    description: `One's own sessions, the asking one first, then by when they were seen last; ${MAX_SESSIONS} at most.`,
    method: 'GET',
    path: '/users/sessions',
    access: 'signedIn',
    limiter: null,
    identityFields: [],
    retry: 'none',
    input: v.object({}),
    answer: v.object({ success: v.literal(true), sessions: v.array(OwnSession) }),
  }),
  endSession: route({
    description: "Ends one of one's own sessions everywhere: its lines close, and its tokens are refused from then on.",
    method: 'POST',
    path: '/users/sessions/end',
    access: 'signedIn',
    limiter: null,
    identityFields: [],
    retry: 'idempotencyKey',
    input: v.object({ sessionId: SessionId }),
    answer: v.object({ success: v.literal(true) }),
  }),
  endOtherSessions: route({
    description: "Ends all of one's own sessions but the one that asks, and says how many those were.",
    method: 'POST',
    path: '/users/sessions/end-others',
    access: 'signedIn',
    limiter: null,
    identityFields: [],
    retry: 'idempotencyKey',
    input: v.object({}),
    answer: v.object({ success: v.literal(true), ended: Count }),
  }),
}

type OwnRoutes = typeof routes
declare module '../protocol/catalogue.ts' {
  interface Routes extends OwnRoutes {}
}
