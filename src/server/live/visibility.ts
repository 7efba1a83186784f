import type { Role } from '../../shared/accounts/protocol.ts'

/** Who looks or listens. */
export interface Viewer {
  userId: number
  sessionId: number
  role: Role
}

/** Whose deed something is, and who may learn of it beside the stream's own limits. */
export interface Attributed {
  actorId: number | null
  /** null: all on the stream; `actor`: only the one whose deed it is; `session:5`: only that session. */
  audience: string | null
}

/**
 * The one verdict on who may hear an event or see a row. Fan-out, replay and pages ask it; search and reply previews
 * will. It decides without decoding the payload.
 */
export function mayHear(viewer: Viewer, { actorId, audience }: Attributed): boolean {
  if (audience === null) return true
  if (audience === 'actor') return actorId === viewer.userId
  return audience === `session:${viewer.sessionId}`
}
