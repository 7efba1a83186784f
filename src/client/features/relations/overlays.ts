import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { BlockDialog } from './block-dialog.tsx'
import { BlockedUsers } from './blocked-users.tsx'
import { FollowListDialog } from './follow-list-dialog.tsx'

export const overlays = {
  /** The confirmation of 'Engelle'. */
  blockDialog: { component: BlockDialog, access: 'everyone' },
  /** 'Engellenen Kullanıcılar'. */
  blockedUsers: { component: BlockedUsers, access: 'everyone' },
  /** The followers of a user, or the users whom that user follows. */
  followList: { component: FollowListDialog, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>
