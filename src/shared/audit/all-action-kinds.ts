import { actionKinds as accounts } from '../accounts/action-kinds.ts'
import { actionKinds as announcements } from '../announcements/action-kinds.ts'
import { actionKinds as gifts } from '../gifts/action-kinds.ts'
import { actionKinds as moderation } from '../moderation/action-kinds.ts'
import { mergeDistinct } from '../protocol/merge-distinct.ts'
import { actionKinds as reports } from '../reports/action-kinds.ts'
import { actionKinds as roomAccess } from '../room-access/action-kinds.ts'
import { actionKinds as roomManagement } from '../room-management/action-kinds.ts'
import { actionKinds as roomOrders } from '../room-orders/action-kinds.ts'
import { actionKinds as rooms } from '../rooms/action-kinds.ts'
import { actionKinds as sanctions } from '../sanctions/action-kinds.ts'
import { actionKinds as textFilters } from '../text-filters/action-kinds.ts'
import { actionKinds as wallet } from '../wallet/action-kinds.ts'

/** The kinds of actions of all features, by name. */
export const allActionKinds = mergeDistinct('kind of action', [
  accounts,
  announcements,
  gifts,
  moderation,
  reports,
  roomAccess,
  roomManagement,
  roomOrders,
  rooms,
  sanctions,
  textFilters,
  wallet,
])

export type ActionKind = keyof typeof allActionKinds
