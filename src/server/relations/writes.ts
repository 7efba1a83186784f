import { blockUser } from './block-user.ts'
import { unblockUser } from './unblock-user.ts'

/** The write commands of this feature. */
export const writes = [blockUser, unblockUser]
