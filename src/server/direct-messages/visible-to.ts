import { type SqlBool, sql } from 'kysely'
import type { Role } from '../../shared/accounts/protocol.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { canReceive, NO_BLOCKS } from '../live/visibility.ts'

/** Who reads direct messages. */
export interface MessageReader {
  userId: UserId
  role: Role
}

/** The parameters of a query with `visibleTo`. */
export type VisibilityParams = {
  viewerId: UserId
  /** 1: the viewer receives also what is for its sender alone. */
  readsAll: 0 | 1
}

/** The same for a reader, by the verdict of `canReceive` on a message that somebody else has sent. */
export function visibilityOf({ userId, role }: MessageReader): VisibilityParams {
  const viewer = { userId, role, sessionId: 0, blockedIds: NO_BLOCKS }
  return { viewerId: userId, readsAll: canReceive(viewer, { actorId: null, audience: 'actor' }) ? 1 : 0 }
}

/**
 * The condition for which a viewer may read a row of `directMessage`: `canReceive` in SQL, so that pages, counts and the last
 * message of a conversation skip hidden rows. @param table the name of `directMessage` in the query
 */
export function visibleTo(
  p: <K extends keyof VisibilityParams>(name: K) => VisibilityParams[K],
  table = 'directMessage',
) {
  const audience = sql.ref(`${table}.audience`)
  const senderId = sql.ref(`${table}.senderId`)
  return sql<SqlBool>`(${audience} is null or ${senderId} = ${p('viewerId')} or ${p('readsAll')} = 1)`
}
