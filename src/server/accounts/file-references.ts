import type { FileReferences } from '../database/define-hooks.ts'
import { isAvatarInUse } from './queries.ts'

/** Every signed-in user may fetch an avatar that is in use. */
export const fileReferences: FileReferences = {
  isInUse: isAvatarInUse,
  mayFetch: (reader, _viewer, path) => isAvatarInUse(reader, path),
}
