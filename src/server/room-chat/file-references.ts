import type { FileReferences } from '../database/define-hooks.ts'
import { canFetchRoomMedia } from './media-queries.ts'
import { roomMedia } from './queries.ts'

/** Those for whom a room is open, and who may read a message there, may fetch its file. */
export const fileReferences: FileReferences = {
  isInUse: (reader, hash) => roomMedia.isInUse(reader, hash),
  mayFetch: canFetchRoomMedia,
}
