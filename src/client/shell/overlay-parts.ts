import { ChangeRole } from '../accounts/change-role.tsx'
import { SessionsWindow } from '../accounts/sessions-window.tsx'
import { SignUpModal } from '../accounts/sign-up-modal.tsx'
import { BanForm } from '../moderation/ban-form.tsx'
import { BansSheet } from '../moderation/bans-sheet.tsx'
import { ClearRoom } from '../moderation/clear-room.tsx'
import { ProfileModal } from '../presence/profile-modal.tsx'
import { ProfileEditor } from '../profiles/profile-editor.tsx'
import { BlockForm } from '../relations/block-form.tsx'
import { BlockedUsers } from '../relations/blocked-users.tsx'
import { AllRoomsSheet } from '../rooms/all-rooms-sheet.tsx'
import { RoomDetailSheet } from '../rooms/room-detail-sheet.tsx'
import { RoomManagement } from '../rooms/room-management.tsx'
import { Preferences } from '../settings/preferences.tsx'
import { SettingsSheet } from './settings-sheet.tsx'
import { SiteStatus } from './site-status.tsx'

/** Everything that `openOverlay` can open, by name. A feature adds its own here. */
export const overlayParts = {
  /** 'Siteden Yasakla'. */
  banForm: BanForm,
  /** Who is banned. */
  bans: BansSheet,
  /** 'Root Admin Yap' and 'Root Adminlik Kaldır'. */
  changeRole: ChangeRole,
  /** 'Engelle', before it is done. */
  blockForm: BlockForm,
  /** 'Engellenen Kullanıcılar'. */
  blockedUsers: BlockedUsers,
  /** 'Oda Mesajlarını Temizle'. */
  clearRoom: ClearRoom,
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
  sessions: SessionsWindow,
  /** 'Bilgilerimi Güncelle'. */
  profileEditor: ProfileEditor,
  /** The settings of the small screens' dock. */
  settings: SettingsSheet,
  /** 'Üye Ol'. */
  signUp: SignUpModal,
  /** 'Genel'. */
  status: SiteStatus,
}

/** Those that only root admins may see: they close under whoever is none any more. */
export const forRootAdmins: ReadonlySet<keyof typeof overlayParts> = new Set([
  'banForm',
  'bans',
  'changeRole',
  'clearRoom',
])
