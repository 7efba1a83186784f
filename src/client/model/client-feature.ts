import type { DockEntry } from '../core/shell/dock-entry.ts'
import type { MenuEntry } from '../core/shell/menus/menu-entries.ts'
import type { PanelName, PanelRegistration } from '../core/shell/panels/panel-state.ts'
import type { ActionLinks } from './audit/action-link.ts'
import type { MessageMenuEntry } from './conversation/message-menu/message-menu-entry.ts'
import type { ModerationSection } from './moderation/moderation-section.ts'
import type { PersonMenuEntry } from './profiles/person-menu-entry.ts'
import type { ProfileSection } from './profiles/profile-section.ts'
import type { RoomManagementSection } from './rooms/room-management-section.ts'
import type { OptionSection } from './wallet/option-section.ts'
import type { WalletAction } from './wallet/wallet-action.ts'

/**
 * What a feature adds to the pages: its `feature.ts` exports it, and `page/features.ts` lists all of them. It loads when a
 * room is idle, so that components are behind an `import()`. Its overlays are in the list of `page/overlays.ts`.
 */
export interface ClientFeature {
  /** Runs once, when the page of a room is idle. */
  start?(): void
  panels?: Partial<Record<PanelName, PanelRegistration>>
  dockEntries?: readonly DockEntry[]
  /** Of the side menu, the right-click menu and the settings sheet. */
  menuEntries?: readonly MenuEntry[]
  /** Actions on a person. */
  personMenuEntries?: readonly PersonMenuEntry[]
  /** Actions on a message. */
  messageMenuEntries?: readonly MessageMenuEntry[]
  /** Parts of an open profile. */
  profileSections?: readonly ProfileSection[]
  /** Parts of 'Oda Yönetimi'. */
  roomManagementSections?: readonly RoomManagementSection[]
  /** Parts of 'Moderasyon'. */
  moderationSections?: readonly ModerationSection[]
  /** Parts of 'Seçenekler', where root admins edit prices and amounts. */
  optionSections?: readonly OptionSection[]
  /** Buttons of the wallet in the profile card. */
  walletActions?: readonly WalletAction[]
  /** From an entry of the action log to what it was about. */
  actionLinks?: ActionLinks
}
