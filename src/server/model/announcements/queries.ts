import { picturePath } from '../../../shared/media/rules.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { findContentRefusal } from '../rooms/access.ts'
import { query } from '../schema/query.ts'

export const lastPopupOfRoom = query<{ roomId: RoomId }>()((db, p) =>
  db.selectFrom('roomPopup').select('sentAt').where('roomId', '=', p('roomId')),
)
const roomsWithPicture = query<{ picture: string }>()((db, p) =>
  db.selectFrom('roomPopup').select('roomId').where('picture', '=', p('picture')),
)

/** Whether the last popup of a room has the file with this hash. */
export function isPopupPictureInUse(reader: Reader, hash: string): boolean {
  return reader.get(roomsWithPicture, { picture: picturePath(hash) }) !== undefined
}

/** Whether the file is the picture of the last popup of a room whose content is open to this user. */
export function canFetchPopupPicture(reader: Reader, viewer: Actor, path: string, appContext: AppContext): boolean {
  const rooms = reader.all(roomsWithPicture, { picture: path })
  return rooms.some(({ roomId }) => findContentRefusal(appContext, reader, viewer, roomId) === null)
}
