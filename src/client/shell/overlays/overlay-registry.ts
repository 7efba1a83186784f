import { ChangeRoleDialog } from '../../accounts/change-role-dialog.tsx'
import { SessionsModal } from '../../accounts/sessions-modal.tsx'
import { SignUpModal } from '../../accounts/sign-up-modal.tsx'
import { BanForm } from '../../moderation/ban-form.tsx'
import { BansSheet } from '../../moderation/bans-sheet.tsx'
import { ClearRoomDialog } from '../../moderation/clear-room-dialog.tsx'
import { ProfileEditor } from '../../profiles/profile-editor.tsx'
import { ProfileModal } from '../../profiles/profile-modal.tsx'
import { BlockDialog } from '../../relations/block-dialog.tsx'
import { BlockedUsers } from '../../relations/blocked-users.tsx'
import { AllRoomsSheet } from '../../rooms/all-rooms-sheet.tsx'
import { RoomDetailSheet } from '../../rooms/room-detail-sheet.tsx'
import { RoomManagement } from '../../rooms/room-management.tsx'
import { Preferences } from '../../settings/preferences.tsx'
import { SiteStatusModal } from '../../site-status/site-status-modal.tsx'
import { SettingsSheet } from '../menus/settings-sheet.tsx'

/** Everything that `openOverlay` can open, by name. A feature adds its own here. */
export const overlayRegistry = {
  /** 'Siteden Yasakla'. */
  banForm: BanForm,
  /** Who is banned. */
  bans: BansSheet,
  /** 'Root Admin Yap' and 'Root Adminlik Kaldır'. */
  changeRole: ChangeRoleDialog,
  /** 'Engelle', before it is done. */
  blockForm: BlockDialog,
  /** 'Engellenen Kullanıcılar'. */
  blockedUsers: BlockedUsers,
  /** 'Oda Mesajlarını Temizle'. */
  clearRoom: ClearRoomDialog,
  /** 'Tüm Odalar'. */
  allRooms: AllRoomsSheet,
  /** One room: '#name', 'ODAYA GEÇ', 'KADRO'. */
  roomDetail: RoomDetailSheet,
  /** 'Oda Yönetimi'. */
  roomManagement: RoomManagement,
  /** 'Tercihlerim'. */
  preferences: Preferences,
  /** Somebody at a glance. */
  profile: ProfileModal,
  /** 'Oturumlarım'. */
  sessions: SessionsModal,
  /** 'Bilgilerimi Güncelle'. */
  profileEditor: ProfileEditor,
  /** The settings of the small screens' dock. */
  settings: SettingsSheet,
  /** 'Üye Ol'. */
  signUp: SignUpModal,
  /** 'Genel'. */
  status: SiteStatusModal,
}

/** Those that only root admins may see: they close under whoever is none any more. */
export const rootAdminOverlays: ReadonlySet<keyof typeof overlayRegistry> = new Set([
  'banForm',
  'bans',
  'changeRole',
  'clearRoom',
])
