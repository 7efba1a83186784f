import type { FileReferences } from '../database/define-hooks.ts'
import { canFetchMedia } from './media-queries.ts'
import { directMedia } from './queries.ts'

/** Only the two users of a conversation may fetch its files. */
export const fileReferences: FileReferences = {
  isInUse: (reader, hash) => directMedia.isInUse(reader, hash),
  mayFetch: canFetchMedia,
}
