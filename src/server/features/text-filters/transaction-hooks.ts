import type { HookHandlers } from '../../kernel/database/define-hooks.ts'
import { checkSubmittedText } from './check-text.ts'
import { deleteRecordsOf } from './delete-records.ts'

export const hooks: HookHandlers = {
  onTextSubmitted: checkSubmittedText,
  onUserRemoved: (tx, { userId, reason }) => deleteRecordsOf(tx, userId, reason === 'accountErased'),
}
