import type { HookHandlers } from '../../kernel/database/define-hooks.ts'
import { clearConversationsOf } from './delete-conversation.ts'

export const hooks: HookHandlers = { onUserRemoved: (tx, { userId }) => clearConversationsOf(tx, userId) }
