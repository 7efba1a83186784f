import type { FileReferences } from '../../kernel/database/define-hooks.ts'
import { directMedia } from '../../model/direct-messages/queries.ts'
import { canFetchMedia } from './media-queries.ts'

/** Only the two users of a conversation may fetch its files. */
export const fileReferences: FileReferences = {
  isInUse: (reader, hash) => directMedia.isInUse(reader, hash),
  mayFetch: canFetchMedia,
}
