import type { FileReferences } from '../../kernel/database/define-hooks.ts'
import { isFileOfRemovedMessage } from '../../model/sanctions/queries.ts'

/** Files of removed messages, which only root admins may fetch. The rows of the uploads keep them. */
export const fileReferences: FileReferences = {
  isInUse: () => false,
  mayFetch: (reader, { role }, path) => role === 'rootadmin' && isFileOfRemovedMessage(reader, path),
}
