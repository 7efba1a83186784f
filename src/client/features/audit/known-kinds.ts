import { actionKinds as accounts } from '../../../shared/accounts/action-kinds.ts'
import { actionKinds as announcements } from '../../../shared/announcements/action-kinds.ts'
import type { ActionKindSpec } from '../../../shared/audit/action-kind.ts'
import { actionKinds as gifts } from '../../../shared/gifts/action-kinds.ts'
import { actionKinds as moderation } from '../../../shared/moderation/action-kinds.ts'
import { actionKinds as reports } from '../../../shared/reports/action-kinds.ts'
import { actionKinds as roomEntry } from '../../../shared/room-entry/action-kinds.ts'
import { actionKinds as roomManagement } from '../../../shared/room-management/action-kinds.ts'
import { actionKinds as roomOrders } from '../../../shared/room-orders/action-kinds.ts'
import { actionKinds as rooms } from '../../../shared/rooms/action-kinds.ts'
import { actionKinds as sanctions } from '../../../shared/sanctions/action-kinds.ts'
import { actionKinds as textFilters } from '../../../shared/text-filters/action-kinds.ts'
import { actionKinds as wallet } from '../../../shared/wallet/action-kinds.ts'

/** The kinds of actions of all features, by name. */
export const knownKinds: Readonly<Record<string, ActionKindSpec>> = {
  ...accounts,
  ...announcements,
  ...gifts,
  ...moderation,
  ...reports,
  ...roomEntry,
  ...roomManagement,
  ...roomOrders,
  ...rooms,
  ...sanctions,
  ...textFilters,
  ...wallet,
}

/** The kinds as options of a filter, by label. */
export const kindOptions: readonly (readonly [kind: string, label: string])[] = Object.entries(knownKinds)
  .map(([kind, { label }]) => [kind, label] as const)
  .sort(([, a], [, b]) => a.localeCompare(b, 'tr'))
