import { refusals } from '../protocol/refusals.ts'
import { isolateBidi } from '../text/bidi-isolate.ts'
import { turkishDateFormat } from '../text/turkish-date-format.ts'
import type { BanDuration, BanReason, StoredBanReason } from './protocol.ts'

/** How long a ban lasts, in milliseconds; null: until it is lifted (specification 1, point 9). */
const BAN_DURATION_MS: Readonly<Record<BanDuration, number | null>> = {
  '10min': 10 * 60_000,
  '1hr': 60 * 60_000,
  indefinite: null,
}

/** When a ban or a mute of this duration ends that begins at `start`, in epoch milliseconds; null: when it is lifted. */
export function endOfDuration(duration: BanDuration, start: number): number | null {
  const durationMs = BAN_DURATION_MS[duration]
  return durationMs === null ? null : start + durationMs
}

/** The first choices of the form (specification 1, point 4, "Ban form defaults"). */
export const BAN_DEFAULTS = { duration: '10min', banReason: 'Uygunsuz Mesaj' } as const satisfies {
  duration: BanDuration
  banReason: BanReason
}

/** The durations in the order of the form, with their labels (specification 1, point 9). */
export const BAN_DURATIONS: readonly { value: BanDuration; label: string }[] = [
  { value: '10min', label: '10 Dakika' },
  { value: '1hr', label: '1 Saat' },
  { value: 'indefinite', label: 'Süresiz Yasakla' },
]

/** The reasons of a ban, which are their own labels (specification 1, point 9). */
export const BAN_REASON_NAMES = ['Uygunsuz Mesaj', 'Uygunsuz Nickname', 'Uygunsuz Fotoğraf', 'Diğer'] as const
export const BAN_REASONS: readonly { value: BanReason; label: string }[] = BAN_REASON_NAMES.map((value) => ({
  value,
  label: value,
}))

/** The reason of every ghost ban (specification 1, point 9). */
export const GHOST_BAN_REASON = 'Sebep yok'

/** Labels of menus and of the sections of 'Moderasyon', for root admins. */
export const BAN_LABEL = 'Siteden Yasakla'
export const GHOST_BAN_LABEL = 'Ghost Ban'
export const LIFT_BAN_LABEL = 'Ban Kaldır'
export const CLEAR_ROOM_LABEL = 'Oda Mesajlarını Temizle'
export const MODERATION_LABEL = 'Moderasyon'
export const BANS_LABEL = 'Yasaklar'

/** Who cannot be banned. */
export const CANNOT_BAN_SELF = 'Kendini yasaklayamazsın.'
export const CANNOT_BAN_ROOT_ADMIN = 'Root adminler yasaklanamaz.'
export const ONLY_GUESTS_GHOST_BANNED = 'Ghost Ban yalnızca misafirlere uygulanır.'
export const NOT_BANNED = 'Bu kullanıcı yasaklı değil.'

/** Toasts (specification 1, point 8). */
export const BAN_FAILED = 'Kullanıcı yasaklanamadı!'
export const GHOST_BAN_FAILED = 'Ghost Ban uygulanamadı!'
export const LIFT_BAN_FAILED = 'Yasak kaldırılamadı!'
export const BANNED_USERS_NOT_LOADED = 'Yasaklı kullanıcılar yüklenirken hata oluştu.'
export const CLEAR_ROOM_FAILED = 'Oda mesajları temizlenemedi!'

export interface BanTerms {
  banReason: StoredBanReason
  /** Epoch milliseconds; null: until it is lifted. */
  endsAt: number | null
}

const dateTimeOptions: Intl.DateTimeFormatOptions = {
  timeZone: 'Europe/Istanbul',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
}

/** Formats epoch milliseconds in Istanbul's time: `21 Kasım 23:15`. */
export function formatDateTime(at: number): string {
  return turkishDateFormat(dateTimeOptions).format(at)
}

/** The message with which a banned user is refused. */
export function formatBanNotice({ banReason, endsAt }: BanTerms): string {
  if (endsAt === null) return `Siteden süresiz olarak yasaklandın. Sebep: ${banReason}.`
  return `${refusals.Banned.message} Sebep: ${banReason}. Bitiş: ${formatDateTime(endsAt)}.`
}

/** How long, in the toast after a ban. */
export const BAN_DURATION_TEXTS: Readonly<Record<BanDuration, string>> = {
  '10min': '10 dakika',
  '1hr': '1 saat',
  indefinite: 'süresiz olarak',
}

/** The toast after a ban. */
export function banDoneText(username: string, duration: BanDuration): string {
  return `${isolateBidi(username)} ${BAN_DURATION_TEXTS[duration]} siteden yasaklandı.`
}

/** The toast after a ghost ban. */
export function ghostBanDoneText(username: string, duration: BanDuration): string {
  return `${isolateBidi(username)} ${BAN_DURATION_TEXTS[duration]} ghost banlandı.`
}

/** The toast after a ban is lifted. */
export function banLiftedText(username: string): string {
  return `${isolateBidi(username)} kullanıcısının yasağı kaldırıldı.`
}
