import { picturePath } from '../../../shared/media/rules.ts'
import type { FileReferences } from '../../kernel/database/define-hooks.ts'
import { isAvatarInUse } from '../../model/accounts/queries.ts'

/** Every signed-in user may fetch an avatar that is in use. */
export const fileReferences: FileReferences = {
  isInUse: (reader, hash) => isAvatarInUse(reader, picturePath(hash)),
  mayFetch: (reader, _viewer, path) => isAvatarInUse(reader, path),
}
