import { refusals } from '../protocol/refusals.ts'
import { isolateBidi } from '../text/bidi-isolate.ts'
import type { BanDuration, BanReason } from './protocol.ts'

/** How long a ban lasts, in milliseconds; null: until it is lifted (specification 1, point 9). */
export const BAN_DURATION_MS: Readonly<Record<BanDuration, number | null>> = {
  '10min': 10 * 60_000,
  '1hr': 60 * 60_000,
  indefinite: null,
}

/** What the form begins with (specification 1, point 4, "Ban form defaults"). */
export const BAN_DEFAULTS = { duration: '10min', banReason: 'Uygunsuz Mesaj' } as const satisfies {
  duration: BanDuration
  banReason: BanReason
}

/** The durations in the order of the form, as it names them (specification 1, point 9). */
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

/** Entries of menus, for root admins. */
export const BAN_LABEL = 'Siteden Yasakla'
export const LIFT_BAN_LABEL = 'Ban Kaldır'
export const CLEAR_ROOM_LABEL = 'Oda Mesajlarını Temizle'
export const BANNED_USERS_LABEL = 'Yasaklı Kullanıcılar'

/** Toasts (specification 1, point 8). */
export const BAN_FAILED = 'Kullanıcı yasaklanamadı!'
export const LIFT_BAN_FAILED = 'Yasak kaldırılamadı!'
export const BANNED_USERS_NOT_LOADED = 'Yasaklı kullanıcılar yüklenirken hata oluştu.'
export const CLEAR_ROOM_FAILED = 'Oda mesajları temizlenemedi!'

export interface BanTerms {
  banReason: BanReason
  /** Epoch milliseconds; null where it has no end. */
  endsAt: number | null
}

const dateTimeFormat = /* @__PURE__ */ new Intl.DateTimeFormat('tr-TR', {
  timeZone: 'Europe/Istanbul',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
})

/** A moment as people in Türkiye read it: `21 Kasım 23:15`. */
export function formatDateTime(at: number): string {
  return dateTimeFormat.format(at)
}

/** What a banned person is told, wherever they knock. */
export function formatBanNotice({ banReason, endsAt }: BanTerms): string {
  if (endsAt === null) return `Siteden süresiz olarak yasaklandınız. Sebep: ${banReason}.`
  return `${refusals.Banned.message} Sebep: ${banReason}. Bitiş: ${formatDateTime(endsAt)}.`
}

/** The confirmation, with the duration. */
export function banDoneText(username: string, duration: BanDuration): string {
  const howLong = { '10min': '10 dakika', '1hr': '1 saat', indefinite: 'süresiz olarak' }[duration]
  return `${isolateBidi(username)} ${howLong} siteden yasaklandı.`
}

/** The confirmation of a lifted ban. */
export function banLiftedText(username: string): string {
  return `${isolateBidi(username)} kullanıcısının yasağı kaldırıldı.`
}
