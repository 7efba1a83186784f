import type { FileReferences } from '../../kernel/database/define-hooks.ts'
import { roomMedia } from '../../model/room-chat/queries.ts'
import { canFetchRoomMedia } from './media-queries.ts'

/** Those for whom a room is open, and who may read a message there, may fetch its file. */
export const fileReferences: FileReferences = {
  isInUse: (reader, hash) => roomMedia.isInUse(reader, hash),
  mayFetch: canFetchRoomMedia,
}
