import { type SqlBool, sql } from 'kysely'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { canReceive, NO_BLOCKS, type PresenceViewer } from './visibility.ts'

/** The parameters of a query with `visibleTo`. */
export type VisibilityParams = {
  /** 0: everybody. */
  viewerId: UserId
  /** 1: the viewer receives also what is for its author alone. */
  readsAll: 0 | 1
}

/** The parameters for a viewer, by the verdict of `canReceive` on a row that somebody else has written. */
export function visibilityOf(viewer: PresenceViewer | null): VisibilityParams {
  if (viewer === null) return { viewerId: 0, readsAll: 0 }
  const reader = { ...viewer, sessionId: 0, blockedIds: NO_BLOCKS }
  return { viewerId: viewer.userId, readsAll: canReceive(reader, { actorId: null, audience: 'actor' }) ? 1 : 0 }
}

/**
 * The condition for which a viewer may read a row with an `audience`: `canReceive` in SQL, so that pages, counts and latest
 * rows skip hidden ones. @param author the column with the row's author, after the table's name in the query
 */
export function visibleTo(
  p: <K extends keyof VisibilityParams>(name: K) => VisibilityParams[K],
  author: `${string}.${string}`,
) {
  const audience = sql.ref(`${author.slice(0, author.indexOf('.'))}.audience`)
  return sql<SqlBool>`(${audience} is null or ${sql.ref(author)} = ${p('viewerId')} or ${p('readsAll')} = 1)`
}
