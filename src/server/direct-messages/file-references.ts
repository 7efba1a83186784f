import type { FileReferences } from '../database/define-hooks.ts'
import { canFetchMedia, isMediaInUse } from './media-queries.ts'

/** Only the two users of a conversation may fetch its files, and root admins those of a reported message. */
export const fileReferences: FileReferences = { isInUse: isMediaInUse, mayFetch: canFetchMedia }
