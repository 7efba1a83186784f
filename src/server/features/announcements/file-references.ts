import type { FileReferences } from '../../kernel/database/define-hooks.ts'
import { canFetchPopupPicture, isPopupPictureInUse } from '../../model/announcements/queries.ts'

/** Who may enter a room may fetch the picture of its last popup. */
export const fileReferences: FileReferences = { isInUse: isPopupPictureInUse, mayFetch: canFetchPopupPicture }
