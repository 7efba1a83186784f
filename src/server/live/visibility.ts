import type { Role } from '../../shared/accounts/protocol.ts'
import type { SessionId, UserId } from '../../shared/protocol/ids.ts'
import type { Audience } from '../database/streams.ts'

/** Who looks or listens. */
export interface Viewer {
  userId: UserId
  sessionId: SessionId
  role: Role
  /** Whom they have blocked, by id: nothing that these people say is for them. */
  blockedIds: ReadonlySet<UserId>
}

/** Nobody is blocked, as with most people. */
export const NO_BLOCKS: ReadonlySet<UserId> = new Set()

/** Whose deed or whose words something is, and who may learn of it beside the stream's own limits. */
export interface Authored {
  actorId: UserId | null
  /** null: all on the stream; `actor`: only the one whose deed it is; `session:5`: only that session. */
  audience: Audience | null
}

/** What is said, and whose words it quotes; null where it quotes nobody's. */
export interface AuthoredWithQuote extends Authored {
  quotedId: UserId | null
}

/** What becomes of something for one viewer. */
export type Verdict = 'deliver' | 'withholdQuote' | 'hide'

/**
 * The one verdict on who may hear an event or see a row, of which fan-out, replay, pages, history, search and quotes ask
 * these three functions. This one is on deeds: bans, popups, clearings reach those too who have blocked whoever did them.
 */
export function canReceive(viewer: Viewer, { actorId, audience }: Authored): boolean {
  if (audience === null) return true
  if (audience === 'actor') return actorId === viewer.userId
  return audience === `session:${viewer.sessionId}`
}

/** The verdict on words by themselves: a row, what a quote shows, a mention. */
export function canRead(viewer: Viewer, words: Authored): boolean {
  return canReceive(viewer, words) && !isBlocked(viewer, words.actorId)
}

/** The verdict on words and what they quote. */
export function visibilityVerdict(viewer: Viewer, said: AuthoredWithQuote): Verdict {
  if (!canRead(viewer, said)) return 'hide'
  return isBlocked(viewer, said.quotedId) ? 'withholdQuote' : 'deliver'
}

function isBlocked({ blockedIds }: Viewer, userId: UserId | null): boolean {
  return userId !== null && blockedIds.has(userId)
}
