import type { FileReferences } from '../database/define-hooks.ts'
import { isAvatarInUse } from './queries.ts'

/** Avatars: everybody who is signed in may fetch one that is in use. */
export const fileReferences: FileReferences = {
  isInUse: isAvatarInUse,
  mayFetch: (reader, _viewer, path) => isAvatarInUse(reader, path),
}
