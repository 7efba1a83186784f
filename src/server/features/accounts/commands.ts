import type { FeatureCommands } from '../../kernel/database/commands/command-registry.ts'
import { onUserBanned } from '../../model/restrictions/transactions.ts'
import { closeAllSessions } from '../../model/sessions/transactions.ts'
import { changeRole } from './roles/change-role.ts'
import { makeRootAdmin } from './roles/make-root-admin.ts'
import { endOtherSessions, endOwnSession } from './sessions/end-own-sessions.ts'
import { endSession } from './sessions/end-session.ts'
import { recordKeyUse, renewKey } from './sessions/session-keys.ts'
import { touchSession } from './sessions/touch-session.ts'
import { openGuestSession } from './sign-in/open-guest-session.ts'
import { openMemberSession } from './sign-in/open-member-session.ts'
import { registerMember } from './sign-up/register-member.ts'
import { setOwnPrivacy } from './users/set-own-privacy.ts'
import { sweepAccounts } from './users/sweep-accounts.ts'
import { touchUsers } from './users/touch-users.ts'

/** What this feature runs in the writer's thread. */
export const commands: FeatureCommands = {
  commands: [
    changeRole,
    endOtherSessions,
    endOwnSession,
    endSession,
    makeRootAdmin,
    openGuestSession,
    openMemberSession,
    recordKeyUse,
    registerMember,
    renewKey,
    setOwnPrivacy,
    sweepAccounts,
    touchSession,
    touchUsers,
  ],
  hooks: [onUserBanned.handledBy((tx, { userId, message }) => closeAllSessions(tx, userId, message))],
}
