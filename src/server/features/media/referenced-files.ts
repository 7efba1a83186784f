import { picturePath } from '../../../shared/media/rules.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { isAvatarInUse } from '../../model/accounts/queries.ts'
import { canFetchPopupPicture, isPopupPictureInUse } from '../../model/announcements/queries.ts'
import { canFetchDirectMedia, canFetchRoomMedia } from '../../model/conversations/media-access.ts'
import { directMessages, roomMessages } from '../../model/conversations/message-table.ts'
import { isFileOfRemovedMessage } from '../../model/moderation/queries.ts'
import { canFetchPostFile, isPostFileInUse } from '../../model/posts/file-queries.ts'
import { isReportFile, isReportFileInUse } from '../../model/reports/file-queries.ts'
import { canFetchBackground, isBackgroundInUse } from '../../model/rooms/background-queries.ts'

/** Which files the rows of one kind refer to. The writer loads this too. */
interface FileReferences {
  /** Whether a row refers to the file with this hash. A file without references is deleted after a day. */
  isInUse(reader: Reader, hash: string): boolean
  /** Whether this user may fetch the file; `path` is its name below `/uploads/`. Runs on the main thread only. */
  mayFetch(reader: Reader, viewer: Actor, path: string, appContext: AppContext): boolean
}

const references: readonly FileReferences[] = [
  // Every signed-in user may fetch an avatar that is in use.
  {
    isInUse: (reader, hash) => isAvatarInUse(reader, picturePath(hash)),
    mayFetch: (reader, _viewer, path) => isAvatarInUse(reader, path),
  },
  // Who may enter a room may fetch the picture of its last popup, and its background.
  { isInUse: isPopupPictureInUse, mayFetch: canFetchPopupPicture },
  { isInUse: isBackgroundInUse, mayFetch: canFetchBackground },
  // Only the two users of a conversation may fetch its files.
  { isInUse: (reader, hash) => directMessages.media.isInUse(reader, hash), mayFetch: canFetchDirectMedia },
  // Those for whom a room is open, and who may read a message there, may fetch its file.
  { isInUse: (reader, hash) => roomMessages.media.isInUse(reader, hash), mayFetch: canFetchRoomMedia },
  // Who may see a post may fetch its files: the archive its owner alone.
  { isInUse: isPostFileInUse, mayFetch: canFetchPostFile },
  // A report keeps its files, and only root admins may fetch them because of it.
  {
    isInUse: isReportFileInUse,
    mayFetch: (reader, { role }, path) => role === 'rootadmin' && isReportFile(reader, path),
  },
  // Files of removed messages, which only root admins may fetch. The rows of the uploads keep them.
  {
    isInUse: () => false,
    mayFetch: (reader, { role }, path) => role === 'rootadmin' && isFileOfRemovedMessage(reader, path),
  },
]

/** Whether any row refers to the file with this hash. */
export function isFileInUse(reader: Reader, hash: string): boolean {
  return references.some((kind) => kind.isInUse(reader, hash))
}

/** Whether any row allows this user to fetch the file. */
export function mayFetchFile(appContext: AppContext, viewer: Actor, path: string): boolean {
  return references.some((kind) => kind.mayFetch(appContext.reader, viewer, path, appContext))
}
