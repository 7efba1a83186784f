import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { eraseNamesOf } from '../../model/audit/transactions.ts'
import { onUserRemoved } from '../../model/sessions/transactions.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  hooks: [
    // A guest whose name was released keeps it in the log: it says whom an action was about.
    onUserRemoved.handledBy((tx, { userId, reason }) => {
      if (reason === 'accountErased') eraseNamesOf(tx, userId)
    }),
  ],
}
