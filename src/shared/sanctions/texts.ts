import type { BanDuration } from '../moderation/protocol.ts'
import { BAN_DURATION_TEXTS, formatDateTime } from '../moderation/rules.ts'
import { isolateBidi } from '../text/bidi-isolate.ts'
import type { OwnMute } from './protocol.ts'

/** Menu labels. */
export const WARN_LABEL = 'Uyar'
export const WARNING_MISSING = 'Bir uyarı metni yaz.'
export const MUTE_LABEL = 'Sustur'
export const LIFT_MUTE_LABEL = 'Susturmayı Kaldır'
export const MUTES_LABEL = 'Susturmalar'
export const REMOVE_MESSAGE_LABEL = 'Mesajı kaldır'
export const RESTORE_MESSAGE_LABEL = 'Mesajı geri getir'

/** The popup of a warning. */
export const WARNING_TITLE = 'Uyarı'
export const CONFIRM_WARNING_LABEL = 'Okudum, anladım'
export const WARNING_NOT_CONFIRMED = 'Onayın kaydedilemedi. Lütfen tekrar dene.'

/** Ready texts of the form. */
export const WARNING_TEXTS = [
  'Mesajların topluluk kurallarına uymuyor. Lütfen kurallara uy, yoksa siteden yasaklanabilirsin.',
  'Diğer kullanıcılara hakaret etme. Tekrarlarsan susturulabilir veya yasaklanabilirsin.',
  'Aynı mesajı tekrar tekrar gönderme ve reklam yapma.',
  'Profil fotoğrafın veya kullanıcı adın uygun değil. Lütfen değiştir.',
] as const

/** Who cannot be warned or muted. */
export const CANNOT_WARN_SELF = 'Kendini uyaramazsın.'
export const CANNOT_WARN_ROOT_ADMIN = 'Root adminler uyarılamaz.'
export const CANNOT_MUTE_SELF = 'Kendini susturamazsın.'
export const CANNOT_MUTE_ROOT_ADMIN = 'Root adminler susturulamaz.'
export const CANNOT_MUTE_ROOM_STAFF = 'Oda sahibi ve oda adminleri susturulamaz.'
export const NOT_MUTED = 'Bu kullanıcı susturulmuş değil.'
export const CANNOT_REMOVE_OF_STAFF = 'Oda sahibinin, oda adminlerinin ve root adminlerin mesajları kaldırılamaz.'
export const CANNOT_RESTORE_OF_ROOT_ADMIN = 'Bu mesajı bir root admin kaldırdı.'
export const MUTED_BY_ROOT_ADMIN = 'Bu kullanıcıyı bir root admin susturdu.'

/** Reasons of the form of a mute. */
export const MUTE_REASONS = ['Hakaret', 'Spam veya reklam', 'Uygunsuz mesaj', 'Tartışma çıkarma', 'Diğer'] as const

/** The durations in the order of the form. */
export const MUTE_DURATIONS: readonly { value: BanDuration; label: string }[] = [
  { value: '10min', label: '10 Dakika' },
  { value: '1hr', label: '1 Saat' },
  { value: 'indefinite', label: 'Süresiz' },
]

export const NO_MUTES_TEXT = 'Susturulmuş kullanıcı yok.'

/** Failures without a text of the server. */
export const WARN_FAILED = 'Kullanıcı uyarılamadı!'
export const MUTE_FAILED = 'Kullanıcı susturulamadı!'
export const LIFT_MUTE_FAILED = 'Susturma kaldırılamadı!'
export const MUTES_NOT_LOADED = 'Susturmalar yüklenirken hata oluştu.'
export const REMOVE_MESSAGE_FAILED = 'Mesaj kaldırılamadı!'
export const RESTORE_MESSAGE_FAILED = 'Mesaj geri getirilemedi!'

/** Where a mute holds. */
export function mutePlaceText({ roomId }: Pick<OwnMute, 'roomId'>): string {
  return roomId === null ? 'Susturuldun' : 'Bu odada susturuldun'
}

/** Why a muted person may not write, with the reason and the end. */
export function formatMuteNotice({ roomId, reason, endsAt }: OwnMute): string {
  return `${mutePlaceText({ roomId })}. Sebep: ${reason}. ${endsAt === null ? 'Süresiz.' : `Bitiş: ${formatDateTime(endsAt)}.`}`
}

/** The toast after a warning. */
export function warnDoneText(username: string): string {
  return `${isolateBidi(username)} uyarıldı.`
}

/** The toast after a mute. */
export function muteDoneText(username: string, duration: BanDuration): string {
  return `${isolateBidi(username)} ${BAN_DURATION_TEXTS[duration]} susturuldu.`
}

/** The toast after a mute is lifted. */
export function muteLiftedText(username: string): string {
  return `${isolateBidi(username)} artık yazabilir.`
}
