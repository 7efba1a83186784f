import { showOverlayOnTop } from '../core/shell/overlays/overlay-root.tsx'
import type { OverlayName, OverlayRegistration } from '../core/shell/overlays/overlays.ts'
import { ChangeRoleDialog } from '../features/accounts/roles/change-role-dialog.tsx'
import { ConfirmPasswordDialog } from '../features/accounts/roles/confirm-password-dialog.tsx'
import { LeaveGuestDialog } from '../features/accounts/sessions/leave-guest-dialog.tsx'
import { SessionsModal } from '../features/accounts/sessions/sessions-modal.tsx'
import { SignUpModal } from '../features/accounts/sign-up/sign-up-modal.tsx'
import { ActionLogDialog } from '../features/audit/action-log-dialog.tsx'
import { ConversationSearch } from '../features/direct-messages/conversation-search.tsx'
import { DeleteDialog } from '../features/direct-messages/delete-dialog.tsx'
import { GiftPicker } from '../features/gifts/gift-picker.tsx'
import { ClearRoomDialog } from '../features/moderation/clear-room-dialog.tsx'
import { GhostBanForm } from '../features/moderation/ghost-ban-form.tsx'
import { ModerationScreen } from '../features/moderation/moderation-screen.tsx'
import { NewPostDialog } from '../features/posts/composing/new-post-dialog.tsx'
import { LikesDialog } from '../features/posts/likes-dialog.tsx'
import { ArchiveDrawer } from '../features/posts/lists/archive-drawer.tsx'
import { PostDialog } from '../features/posts/post-dialog.tsx'
import { DeleteCommentDialog, DeletePostDialog } from '../features/posts/post-dialogs.tsx'
import { ProfileEditor } from '../features/profiles/editor/profile-editor.tsx'
import { ProfilePanel } from '../features/profiles/profile-panel.tsx'
import { BlockDialog } from '../features/relations/block-dialog.tsx'
import { BlockedUsers } from '../features/relations/blocked-users.tsx'
import { FollowListDialog } from '../features/relations/follow-list-dialog.tsx'
import { ReportDialog } from '../features/reports/submitting/report-dialog.tsx'
import { RoomBanForm } from '../features/room-access/room-ban-form.tsx'
import { RoomBanNotice } from '../features/room-access/room-ban-notice.tsx'
import { OrderRoomWizard } from '../features/room-orders/order-room-wizard.tsx'
import { OwnRoomsDialog } from '../features/room-orders/own-rooms-dialog.tsx'
import { RenewRoomWizard } from '../features/room-orders/renew-room-wizard.tsx'
import { UnpaidRoomDialog } from '../features/room-orders/unpaid-room-dialog.tsx'
import { LeaveRoomDialog } from '../features/rooms/leave-room-dialog.tsx'
import { RoomDetailSheet } from '../features/rooms/room-detail-sheet.tsx'
import { RoomManagement } from '../features/rooms/room-management.tsx'
import { MuteForm } from '../features/sanctions/mute-form.tsx'
import { RemoveMessageDialog } from '../features/sanctions/remove-message-dialog.tsx'
import { WarnForm } from '../features/sanctions/warn-form.tsx'
import { Preferences } from '../features/settings/preferences.tsx'
import { SettingsSheet } from '../features/settings/settings-sheet.tsx'
import { SiteStatusModal } from '../features/site-status/site-status-modal.tsx'
import { FingerprintBanForm } from '../features/text-filters/fingerprint-ban-form.tsx'
import { OptionsScreen } from '../features/wallet/options/options-screen.tsx'
import { PremiumDialog } from '../features/wallet/premium/premium-dialog.tsx'
import { DecisionDialog } from '../features/wallet/requests/decision-dialog.tsx'
import { RequestsDialog } from '../features/wallet/requests/requests-dialog.tsx'
import { RequestsScreen } from '../features/wallet/requests/requests-screen.tsx'
import { StatementDialog } from '../features/wallet/statement/statement-dialog.tsx'
import { TopUpWizard } from '../features/wallet/top-ups/top-up-wizard.tsx'
import { WithdrawalWizard } from '../features/wallet/withdrawals/withdrawal-wizard.tsx'
import { MediaViewer } from '../model/conversation/media/media-viewer.tsx'
import { BanForm } from '../model/moderation/restriction-form.tsx'
import { AllRoomsSheet } from './all-rooms-sheet.tsx'

/** The overlays of the page and of all features, in one chunk: most users open several of them. */
export const overlays = {
  /** 'Tüm Odalar'. */
  allRooms: { component: AllRoomsSheet, access: 'everyone' },
  /** The pictures and videos of a conversation. */
  mediaViewer: { component: MediaViewer, access: 'everyone' },
  /** 'Root Admin Yap' and 'Root Adminlik Kaldır'. */
  changeRoleDialog: { component: ChangeRoleDialog, access: 'rootAdmins' },
  /** 'Şifreni doğrula'. */
  confirmPassword: { component: ConfirmPasswordDialog, access: 'rootAdmins' },
  /** Before a guest's 'Çıkış Yap'. */
  leaveGuest: { component: LeaveGuestDialog, access: 'everyone' },
  /** 'Oturumlarım'. */
  sessions: { component: SessionsModal, access: 'everyone' },
  /** 'Üye Ol'. */
  signUp: { component: SignUpModal, access: 'everyone' },
  /** 'Aksiyonlar'. */
  actionLogDialog: { component: ActionLogDialog, access: 'rootAdmins' },
  /** The confirmation of 'Konuşmayı sil'. */
  deleteConversation: { component: DeleteDialog, access: 'everyone' },
  /** 'Mesajlarda ara' of a direct conversation. */
  conversationSearch: { component: ConversationSearch, access: 'everyone', isSingle: true },
  /** 'Hediye gönder'. */
  giftPicker: { component: GiftPicker, access: 'everyone', isSingle: true },
  /** 'Siteden Yasakla'. */
  banForm: { component: BanForm, access: 'rootAdmins' },
  /** 'Ghost Ban'. */
  ghostBanForm: { component: GhostBanForm, access: 'rootAdmins' },
  /** 'Oda Mesajlarını Temizle'. */
  clearRoomDialog: { component: ClearRoomDialog, access: 'everyone' },
  /** 'Moderasyon'; opened at a section by `openModerationSection`. */
  moderationScreen: { component: ModerationScreen, access: 'rootAdmins', isSingle: true },
  /** 'Yeni Paylaşım'. */
  newPost: { component: NewPostDialog, access: 'everyone' },
  /** 'Arşiv'. */
  postArchive: { component: ArchiveDrawer, access: 'everyone' },
  /** One post. */
  post: { component: PostDialog, access: 'everyone' },
  /** 'Beğenenler'. */
  postLikes: { component: LikesDialog, access: 'everyone' },
  deletePost: { component: DeletePostDialog, access: 'everyone' },
  deleteComment: { component: DeleteCommentDialog, access: 'everyone' },
  /** 'Profil'. */
  profile: { component: ProfilePanel, access: 'everyone', isSingle: true },
  /** 'Bilgilerimi Güncelle'. */
  profileEditor: { component: ProfileEditor, access: 'everyone' },
  /** The confirmation of 'Engelle'. */
  blockDialog: { component: BlockDialog, access: 'everyone' },
  /** 'Engellenen Kullanıcılar'. */
  blockedUsers: { component: BlockedUsers, access: 'everyone' },
  /** The followers of a user, or the users whom that user follows. */
  followList: { component: FollowListDialog, access: 'everyone' },
  /** 'Bildir'. */
  reportDialog: { component: ReportDialog, access: 'everyone' },
  /** 'Odadan Yasakla'; the server checks who may. */
  roomBanForm: { component: RoomBanForm, access: 'everyone' },
  /** Tells the viewer of a ban from the shown room. */
  roomBanNotice: { component: RoomBanNotice, access: 'everyone' },
  /** 'Yeni Oda Siparişi'; opened by `openRoomOrder`. */
  orderRoom: { component: OrderRoomWizard, access: 'everyone' },
  renewRoom: { component: RenewRoomWizard, access: 'everyone' },
  /** 'Oda Siparişlerim'. */
  ownRooms: { component: OwnRoomsDialog, access: 'everyone' },
  unpaidRoom: { component: UnpaidRoomDialog, access: 'everyone' },
  /** Asks before Back leaves the room. */
  leaveRoom: { component: LeaveRoomDialog, access: 'everyone', isSingle: true },
  /** One room: '#name', 'ODAYA GEÇ', 'KADRO'. */
  roomDetail: { component: RoomDetailSheet, access: 'everyone' },
  /** 'Oda Yönetimi'. */
  roomManagement: { component: RoomManagement, access: 'everyone' },
  /** 'Uyar'. */
  warnForm: { component: WarnForm, access: 'rootAdmins' },
  /** 'Sustur'; the server checks who may. */
  muteForm: { component: MuteForm, access: 'everyone' },
  /** 'Mesajı kaldır' and 'Mesajı geri getir'; the server checks who may. */
  removeMessageDialog: { component: RemoveMessageDialog, access: 'everyone' },
  /** 'Tercihlerim'. */
  preferences: { component: Preferences, access: 'everyone' },
  /** 'Ayarlar', opened from the dock of small screens. */
  settingsSheet: { component: SettingsSheet, access: 'everyone' },
  /** 'Genel'. */
  siteStatus: { component: SiteStatusModal, access: 'everyone' },
  /** 'Tarayıcı veya adresi yasakla'. */
  fingerprintBanForm: { component: FingerprintBanForm, access: 'rootAdmins' },
  /** 'Bakiye Yükleme Talebi'; opened by `openTopUp`. */
  topUp: { component: TopUpWizard, access: 'everyone', isSingle: true },
  premiumUpgrade: { component: PremiumDialog, access: 'everyone', isSingle: true },
  /** 'Yüklemeler' or 'Ödemeler'. */
  ownRequests: { component: RequestsDialog, access: 'everyone' },
  /** 'Seçenekler'. */
  optionsScreen: { component: OptionsScreen, access: 'rootAdmins' },
  /** 'Hesap hareketleri'. */
  statement: { component: StatementDialog, access: 'everyone' },
  /** 'Bizden Ödeme Alın'. */
  withdrawalWizard: { component: WithdrawalWizard, access: 'everyone', isSingle: true },
  /** 'Talepler'. */
  requestsScreen: { component: RequestsScreen, access: 'rootAdmins', isSingle: true },
  /** Asks before a request is approved or rejected. */
  requestDecision: { component: DecisionDialog, access: 'rootAdmins', isSingle: true },
} satisfies Record<string, OverlayRegistration>

type AllOverlays = typeof overlays

// `openOverlay` checks the name and the input by this type: the shell cannot import what features export.
declare module '../core/shell/overlays/overlays.ts' {
  interface OverlayRegistry extends AllOverlays {}
}

/** Shows an overlay on top of the open ones, at once: Esc and Back reach it from now on. */
export function showOverlay(name: OverlayName, input: object): void {
  showOverlayOnTop(overlays[name], input)
}
