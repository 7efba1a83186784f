import type { FileReferences } from '../../kernel/database/define-hooks.ts'
import { canFetchBackground, isBackgroundInUse } from './file-queries.ts'

/** Who may enter a room may fetch its background. */
export const fileReferences: FileReferences = { isInUse: isBackgroundInUse, mayFetch: canFetchBackground }
