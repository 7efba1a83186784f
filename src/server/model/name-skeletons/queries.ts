import type { UserId } from '../../../shared/protocol/ids.ts'
import { nameSkeleton } from '../../../shared/text/name-skeleton.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { query } from '../schema/query.ts'

/** Those most likely to hold their names come first, and expired guests last. */
const MAX_LOOK_ALIKES = 20

const usersOfSkeleton = query<{ skeleton: string; limit: number }>()((db, p) =>
  db
    .selectFrom('user')
    .selectAll()
    .where('skeleton', '=', p('skeleton'))
    .where('nameReleasedAt', 'is', null)
    .orderBy('isGuest')
    .orderBy('lastSeenAt', 'desc')
    .limit(p('limit')),
)
const roomOfSkeleton = query<{ skeleton: string }>()((db, p) =>
  db.selectFrom('room').select('id').where('skeleton', '=', p('skeleton')).limit(1),
)
const usersWithoutSkeleton = query<{ limit: number }>()((db, p) =>
  db
    .selectFrom('user')
    .select(['id', 'username as name'])
    .where('skeleton', 'is', null)
    .where('nameReleasedAt', 'is', null)
    .limit(p('limit')),
)
const roomsWithoutSkeleton = query<{ limit: number }>()((db, p) =>
  db.selectFrom('room').select(['id', 'name']).where('skeleton', 'is', null).limit(p('limit')),
)

/** The other holders of names that look like this one. */
export function listLookAlikes(reader: Pick<Reader, 'all'>, name: string, exceptId: UserId | null) {
  return reader
    .all(usersOfSkeleton, { skeleton: nameSkeleton(name), limit: MAX_LOOK_ALIKES })
    .filter(({ id }) => id !== exceptId)
}

/** Whether a room has this name or one that looks like it. */
export function hasRoomLookAlike(reader: Pick<Reader, 'get'>, name: string): boolean {
  return reader.get(roomOfSkeleton, { skeleton: nameSkeleton(name) }) !== undefined
}

/** Up to `limit` users and rooms whose skeletons are not stored yet. */
export function listWithoutSkeleton(reader: Pick<Reader, 'all'>, limit: number) {
  return { users: reader.all(usersWithoutSkeleton, { limit }), rooms: reader.all(roomsWithoutSkeleton, { limit }) }
}
