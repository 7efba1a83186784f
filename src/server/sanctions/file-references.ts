import type { FileReferences } from '../database/define-hooks.ts'
import { isFileOfRemovedMessage } from './queries.ts'

/** Files of removed messages, which only root admins may fetch. The rows of the uploads keep them. */
export const fileReferences: FileReferences = {
  isInUse: () => false,
  mayFetch: (reader, { role }, path) => role === 'rootadmin' && isFileOfRemovedMessage(reader, path),
}
