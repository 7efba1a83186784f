import type { Role } from '../../../shared/accounts/protocol.ts'
import type { SessionId, UserId } from '../../../shared/protocol/ids.ts'
import type { Audience } from '../database/events/streams.ts'

/** The user for whom visibility is decided. */
export interface Viewer {
  userId: UserId
  sessionId: SessionId
  /** The number of the session's key in the connection's token (features/accounts). */
  key?: number
  role: Role
  /** Ids of users whom the viewer has blocked and whose messages are hidden. */
  blockedIds: ReadonlySet<UserId>
  /** The user is ghost-banned; known of a connection's viewer only, and kept current by presence. */
  isGhost?: boolean
}

/**
 * For whom presence is read, if not for everybody. A ghost-banned user is present for themselves alone, and on the site for
 * root admins too.
 */
export type PresenceViewer = Pick<Viewer, 'userId' | 'role'>

/** Shared by viewers without blocks. */
export const NO_BLOCKS: ReadonlySet<UserId> = new Set()

/** The author of an event or row, and the audience that narrows its stream. */
export interface Authored {
  actorId: UserId | null
  /** null: all subscribers; `actor`: only the acting, ghost-banned user and root admins; `session:5`: only that session. */
  audience: Audience | null
}

/** An authored text with the author of its quote; null without a quote. */
export interface AuthoredWithQuote extends Authored {
  quotedId: UserId | null
}

/** The visibility for one viewer: `withholdQuote` shows an unavailable quote. */
export type Verdict = 'deliver' | 'withholdQuote' | 'hide'

/**
 * Whether the viewer receives an action such as a ban or an announcement, which blocks do not hide. Fan-out, replay,
 * pages, history, search and quotes all decide visibility by the three functions of this file.
 */
export function canReceive(viewer: Viewer, { actorId, audience }: Authored): boolean {
  if (audience === null) return true
  if (audience === 'actor') return actorId === viewer.userId || viewer.role === 'rootadmin'
  return audience === `session:${viewer.sessionId}`
}

/** Whether the viewer reads it as written by a ghost-banned user: root admins do, its author does not. */
export function isShownAsGhost(viewer: Pick<Viewer, 'userId' | 'role'>, { actorId, audience }: Authored): boolean {
  return audience === 'actor' && viewer.role === 'rootadmin' && viewer.userId !== actorId
}

/** Whether the viewer may read an authored text: a message, a quoted text or a mention. */
export function canRead(viewer: Viewer, text: Authored): boolean {
  return canReceive(viewer, text) && !isBlocked(viewer, text.actorId)
}

/** The visibility of a text and its quote. */
export function visibilityVerdict(viewer: Viewer, text: AuthoredWithQuote): Verdict {
  if (!canRead(viewer, text)) return 'hide'
  return isBlocked(viewer, text.quotedId) ? 'withholdQuote' : 'deliver'
}

function isBlocked({ blockedIds }: Viewer, userId: UserId | null): boolean {
  return userId !== null && blockedIds.has(userId)
}
