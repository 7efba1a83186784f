import { commands as accounts } from './features/accounts/commands.ts'
import { commands as announcements } from './features/announcements/commands.ts'
import { commands as audit } from './features/audit/commands.ts'
import { commands as calls } from './features/calls/commands.ts'
import { commands as directMessages } from './features/direct-messages/commands.ts'
import { commands as diskSpace } from './features/disk-space/commands.ts'
import { commands as accountMarks } from './features/fingerprints/commands.ts'
import { commands as gifts } from './features/gifts/commands.ts'
import { commands as media } from './features/media/commands.ts'
import { commands as messageSearch } from './features/message-search/commands.ts'
import { commands as moderation } from './features/moderation/commands.ts'
import { commands as nameSkeletons } from './features/name-skeletons/commands.ts'
import { commands as notifications } from './features/notifications/commands.ts'
import { commands as posts } from './features/posts/commands.ts'
import { commands as profiles } from './features/profiles/commands.ts'
import { commands as relations } from './features/relations/commands.ts'
import { commands as reports } from './features/reports/commands.ts'
import { commands as roomAccess } from './features/room-access/commands.ts'
import { commands as roomChat } from './features/room-chat/commands.ts'
import { commands as roomManagement } from './features/room-management/commands.ts'
import { commands as roomOrders } from './features/room-orders/commands.ts'
import { commands as rooms } from './features/rooms/commands.ts'
import { commands as sanctions } from './features/sanctions/commands.ts'
import { commands as textFilters } from './features/text-filters/commands.ts'
import { commands as wallet } from './features/wallet/commands.ts'
import { collectCommands } from './kernel/database/commands/command-registry.ts'
import { trimLog } from './kernel/database/events/trim-log.ts'

/**
 * What the features run in the writer's thread, which loads this: no HTTP, no pages. The handlers of a hook run in this
 * order: sanctions refuse a muted author before text-filters look at the text.
 */
export const commandRegistry = collectCommands([
  accountMarks,
  accounts,
  announcements,
  audit,
  calls,
  directMessages,
  diskSpace,
  gifts,
  media,
  messageSearch,
  moderation,
  nameSkeletons,
  notifications,
  posts,
  profiles,
  relations,
  reports,
  roomChat,
  roomAccess,
  roomManagement,
  roomOrders,
  rooms,
  sanctions,
  textFilters,
  wallet,
  { commands: [trimLog] },
])
