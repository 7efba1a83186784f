import { formatDateTime } from '../moderation/rules.ts'
import { isolateBidi } from '../text/bidi-isolate.ts'
import type { DecisionKind, ReportKind, ReportReason } from './rules.ts'

/** Why something is reported, in the order of the form. */
export const REPORT_REASON_LABELS = {
  insult: 'Hakaret',
  spam: 'Spam veya reklam',
  sexual: 'Cinsel içerik',
  threat: 'Tehdit',
  minor: 'Çocuk güvenliği',
  impersonation: 'Başkasının kimliği',
  illegal: 'Yasa dışı',
  other: 'Diğer',
} as const satisfies Record<ReportReason, string>

/** What is reported. */
export const REPORT_KIND_LABELS = {
  directMessage: 'Özel mesaj',
  roomMessage: 'Oda mesajı',
  post: 'Gönderi',
  profile: 'Profil',
  call: 'Arama',
} as const satisfies Record<ReportKind, string>

/** What root admins may decide. */
export const DECISION_LABELS = {
  nothing: 'İşlem gerekmiyor',
  warn: 'Uyar',
  remove: 'İçeriği kaldır',
  mute: 'Sustur',
  ban: 'Siteden yasakla',
  ghostBan: 'Ghost Ban',
} as const satisfies Record<DecisionKind, string>

/** The answers to a report. */
export const MESSAGE_REPORTED_TEXT = 'Mesaj bildirildi.'
export const PROFILE_REPORTED_TEXT = 'Profil bildirildi.'
export const CALL_REPORTED_TEXT = 'Arama bildirildi.'
export const CANNOT_REPORT_SELF_TEXT = 'Kendini bildiremezsin.'
/** Of a call that ended long ago, and of one of others: there is no difference. */
export const CALL_NOT_FOUND_TEXT = 'Bu arama artık bildirilemiyor.'

/** What the reporters are told, unless the root admin writes something else. It never says what was done. */
export const REPORT_REVIEWED_TEXT = 'Bildirimin incelendi.'
export const REPORT_ACTED_TEXT = 'Bildirimin incelendi ve işlem yapıldı.'

/** Refusals to root admins. */
export const REPORT_NOT_FOUND_TEXT = 'Bildirim bulunamadı.'
export const REPORT_CONTENT_DELETED_TEXT = 'Bu bildirimin içeriği, saklama süresi dolduğu için silindi.'
export const REPORTS_OF_SEVERAL_TEXT = 'Seçilen bildirimler aynı kişi hakkında değil.'
export const REPORT_ABOUT_SELF_TEXT = 'Kendin hakkındaki bildirimleri göremez ve onlara karar veremezsin.'
export const ROOT_ADMIN_REPORTED_TEXT = 'Root adminler hakkında yalnızca "İşlem gerekmiyor" seçilebilir.'
export const NOTHING_TO_REMOVE_TEXT = 'Seçilen bildirimlerde kaldırılabilecek bir içerik yok.'
export const DURATION_MISSING_TEXT = 'Bir süre seç.'
export const WARNING_TEXT_MISSING_TEXT = 'Uyarı metnini yaz.'

/** Another root admin was first. */
export function reportDecidedText(username: string, at: number): string {
  return `Bu bildirimi ${isolateBidi(username)} zaten sonuçlandırdı (${formatDateTime(at)}).`
}
