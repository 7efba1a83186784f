import type { FileReferences } from '../../kernel/database/define-hooks.ts'
import { canFetchPostFile, isPostFileInUse } from './file-queries.ts'

/** Who may see a post may fetch its files: the archive its owner alone. */
export const fileReferences: FileReferences = { isInUse: isPostFileInUse, mayFetch: canFetchPostFile }
