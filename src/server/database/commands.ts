import type { Refusal } from '../../shared/protocol/refusals.ts'
import { changeRole } from '../accounts/roles/change-role.ts'
import { makeRootAdmin } from '../accounts/roles/make-root-admin.ts'
import { endOtherSessions, endOwnSession } from '../accounts/sessions/end-own-sessions.ts'
import { endSession } from '../accounts/sessions/end-session.ts'
import { touchSession } from '../accounts/sessions/touch-session.ts'
import { openGuestSession } from '../accounts/sign-in/open-guest-session.ts'
import { openMemberSession } from '../accounts/sign-in/open-member-session.ts'
import { registerMember } from '../accounts/sign-up/register-member.ts'
import { sweepAccounts } from '../accounts/users/sweep-accounts.ts'
import { touchUsers } from '../accounts/users/touch-users.ts'
import { updateProfile } from '../accounts/users/update-profile.ts'
import { sendPopup } from '../announcements/send-popup.ts'
import { registerFile } from '../media/register-file.ts'
import { sweepFiles } from '../media/sweep-files.ts'
import { banUser } from '../moderation/ban-user.ts'
import { clearRoomMessages } from '../moderation/clear-room-messages.ts'
import { touchFingerprint } from '../moderation/guest-fingerprint.ts'
import { liftBan } from '../moderation/lift-ban.ts'
import { deleteRemovedMessages } from '../moderation/remove-messages.ts'
import { setMaintenance } from '../moderation/set-maintenance.ts'
import { blockUser } from '../relations/block-user.ts'
import { unblockUser } from '../relations/unblock-user.ts'
import { indexMessages } from '../room-chat/index-messages.ts'
import { sendMessage } from '../room-chat/send-message.ts'
import { seedDefaultRooms } from '../rooms/seed-default-rooms.ts'
import { setOwnPrivacy } from '../settings/set-privacy.ts'
import { trimLog } from './events.ts'
import type { ActorContext, Claims } from './transact.ts'

/** Every command that the writer knows: plain synchronous functions of (transaction, actor, input, moment). */
export const writeCommands = {
  banUser,
  blockUser,
  changeRole,
  clearRoomMessages,
  endOtherSessions,
  endOwnSession,
  endSession,
  indexMessages,
  liftBan,
  makeRootAdmin,
  touchFingerprint,
  openGuestSession,
  openMemberSession,
  registerFile,
  registerMember,
  deleteRemovedMessages,
  seedDefaultRooms,
  sendMessage,
  sendPopup,
  setMaintenance,
  setOwnPrivacy,
  sweepAccounts,
  sweepFiles,
  touchSession,
  touchUsers,
  trimLog,
  unblockUser,
  updateProfile,
}

/** Commands whose answers are kept for ever; others are forgotten after 7 days. */
export const permanentAnswerCommands: ReadonlySet<WriteCommandName> = new Set(['sendMessage'])

/** Commands that the primary runs for itself; they never come over the link. */
export const primaryOnlyCommands: ReadonlySet<WriteCommandName> = new Set([
  'makeRootAdmin',
  'deleteRemovedMessages',
  'seedDefaultRooms',
  'setMaintenance',
  'sweepAccounts',
  'sweepFiles',
  'trimLog',
])

export type WriteCommandName = keyof typeof writeCommands
export type WriteInput<N extends WriteCommandName> = Parameters<(typeof writeCommands)[N]>[2]
export type WriteAnswer<N extends WriteCommandName> = Exclude<ReturnType<(typeof writeCommands)[N]>, Refusal>

/** Runs a write command. Resolves when the change is durable, or with the refusal. A refusal leaves no change behind. */
export type Execute = <N extends WriteCommandName>(
  command: N,
  actor: Claims | null,
  input: WriteInput<N>,
  options?: ExecuteOptions,
) => Promise<WriteAnswer<N> | Refusal>

export interface ExecuteOptions {
  /** Makes a retry have one effect and get the same answer. */
  clientId?: string | undefined
  actorContext?: ActorContext
  /** Answer only once another region has the change too, where there are several and the site asks for that. */
  awaitReplicaAck?: boolean
}
