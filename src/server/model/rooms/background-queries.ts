import { picturePath } from '../../../shared/media/rules.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { query } from '../schema/query.ts'
import { findContentRefusal } from './access.ts'

const roomsWithBackground = query<{ path: string }>()((db, p) =>
  db
    .selectFrom('room')
    .select('id')
    .where('backgroundImage', '=', p('path'))
    .union(db.selectFrom('room').select('id').where('smallBackgroundImage', '=', p('path'))),
)

/** Whether a room has the file with this hash as its background. */
export function isBackgroundInUse(reader: Reader, hash: string): boolean {
  return reader.get(roomsWithBackground, { path: picturePath(hash) }) !== undefined
}

/** Whether the file is the background of a room whose content is open to this user, full or not. */
export function canFetchBackground(reader: Reader, viewer: Actor, path: string, appContext: AppContext): boolean {
  const rooms = reader.all(roomsWithBackground, { path })
  return rooms.some(({ id }) => findContentRefusal(appContext, reader, viewer, id) === null)
}
