import type { DockEntry } from '../core/shell/dock-entry.ts'
import { menuEntries } from '../core/shell/menus/menu-entries.ts'
import { loadBehindSkeleton } from '../core/shell/overlays/overlay-skeleton.tsx'
import { overlayRoot } from '../core/shell/overlays/overlays.ts'
import type { PanelName, PanelRegistration } from '../core/shell/panels/panel-state.ts'
import { startShell } from '../core/shell/start-shell.ts'
import { feature as accounts } from '../features/accounts/feature.ts'
import { feature as announcements } from '../features/announcements/feature.ts'
import { feature as audit } from '../features/audit/feature.ts'
import { feature as calls } from '../features/calls/feature.ts'
import { feature as directMessages } from '../features/direct-messages/feature.ts'
import { feature as gifts } from '../features/gifts/feature.ts'
import { feature as moderation } from '../features/moderation/feature.ts'
import { feature as notifications } from '../features/notifications/feature.ts'
import { feature as posts } from '../features/posts/feature.ts'
import { feature as profiles } from '../features/profiles/feature.ts'
import { feature as relations } from '../features/relations/feature.ts'
import { feature as reports } from '../features/reports/feature.ts'
import { feature as roomAccess } from '../features/room-access/feature.ts'
import { feature as roomChat } from '../features/room-chat/feature.ts'
import { feature as roomManagement } from '../features/room-management/feature.ts'
import { feature as roomOrders } from '../features/room-orders/feature.ts'
import { feature as rooms } from '../features/rooms/feature.ts'
import { feature as sanctions } from '../features/sanctions/feature.ts'
import { feature as settings } from '../features/settings/feature.ts'
import { feature as siteStatus } from '../features/site-status/feature.ts'
import { feature as textFilters } from '../features/text-filters/feature.ts'
import { feature as userList } from '../features/user-list/feature.ts'
import { feature as wallet } from '../features/wallet/feature.ts'
import { setActionLinks } from '../model/audit/action-link.ts'
import type { ClientFeature } from '../model/client-feature.ts'
import { messageMenuEntries } from '../model/conversation/message-menu/message-menu-entry.ts'
import { moderationSections } from '../model/moderation/moderation-section.ts'
import { personMenuEntries } from '../model/profiles/person-menu-entry.ts'
import { profileSections } from '../model/profiles/profile-section.ts'
import { roomManagementSections } from '../model/rooms/room-management-section.ts'
import { optionSections } from '../model/wallet/option-section.ts'
import { walletActions } from '../model/wallet/wallet-action.ts'
import { AllRoomsButton } from './all-rooms-button.tsx'

/** All features of the client. It loads when a room is idle; the components of overlays load later (overlays.ts). */
const features: readonly ClientFeature[] = [
  accounts,
  announcements,
  audit,
  calls,
  directMessages,
  gifts,
  moderation,
  notifications,
  userList,
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
  settings,
  siteStatus,
  textFilters,
  wallet,
]

/** The buttons of the dock, in order. */
export const dockEntries: readonly DockEntry[] = [
  { order: 20, component: AllRoomsButton },
  ...features.flatMap((feature) => feature.dockEntries ?? []),
].sort((a, b) => a.order - b.order)

/** The side panels by name. */
export const panels: Partial<Record<PanelName, PanelRegistration>> = Object.assign(
  {},
  ...features.map((feature) => feature.panels),
)

overlayRoot.set((show) => loadBehindSkeleton(() => import('./overlays.ts'), show))
menuEntries.set(features.flatMap((feature) => feature.menuEntries ?? []))
personMenuEntries.set(features.flatMap((feature) => feature.personMenuEntries ?? []))
messageMenuEntries.set(features.flatMap((feature) => feature.messageMenuEntries ?? []))
profileSections.set(features.flatMap((feature) => feature.profileSections ?? []))
roomManagementSections.set(features.flatMap((feature) => feature.roomManagementSections ?? []))
moderationSections.set(features.flatMap((feature) => feature.moderationSections ?? []))
optionSections.set(features.flatMap((feature) => feature.optionSections ?? []))
walletActions.set(features.flatMap((feature) => feature.walletActions ?? []))
setActionLinks(Object.assign({}, ...features.map((feature) => feature.actionLinks)))

/** Starts the shell and the features of a room, once per document. */
export function startFeatures(): void {
  startShell({
    loadContextMenu: async () => (await import('./context-menu.tsx')).showContextMenu,
    starts: features.flatMap(({ start }) => start ?? []),
  })
}
