import type { UserId } from '../../../../shared/protocol/ids.ts'
import { query } from '../query.ts'
import type { RowCache } from '../row-cache.ts'

const ghostFlag = query<{ id: UserId }>()((db, p) => db.selectFrom('user').select('isGhost').where('id', '=', p('id')))

/** The audience of what a user does or writes: all, or with root admins only the user, if the user is ghost-banned. */
export function audienceOfActor(rows: Pick<RowCache, 'get'>, actorId: UserId | null): 'actor' | null {
  if (actorId === null) return null
  return rows.get(ghostFlag, { id: actorId })?.isGhost === 1 ? 'actor' : null
}
