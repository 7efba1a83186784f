import {
  AGE_INVALID,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  PASSWORD_TOO_LONG,
  PASSWORD_TOO_SHORT,
  parseAge,
} from '../accounts/rules.ts'
import { collapseBlankLines, plainText } from '../text/plain-text.ts'

/** In UTF-16 units, after normalisation. */
export const MAX_BIO_LENGTH = 300
export const MAX_CITY_LENGTH = 60

/** The fields that `clear` can empty; a blank field alone changes nothing. */
export const CLEARABLE_FIELDS = ['bio', 'city', 'age', 'avatar'] as const
export type ClearableField = (typeof CLEARABLE_FIELDS)[number]

export const profileTexts = {
  copyUsername: 'Kullanıcı adını kopyala',
  bioTooLong: `Hakkında yazısı en fazla ${MAX_BIO_LENGTH} karakter olabilir.`,
  cityTooLong: `Konum en fazla ${MAX_CITY_LENGTH} karakter olabilir.`,
  passwordsDiffer: 'Şifreleriniz eşleşmiyor!',
  currentMissing: 'Şifreni değiştirmek için mevcut şifreni de gir.',
  notFound: 'Profil bulunamadı.',
  noData: 'Profil verisi alınamadı.',
  notLoaded: 'Profil alınırken bir hata oluştu.',
  hiddenHint: 'Gönderilerini ve listelerini yalnızca takipçileri görür.',
  copyLink: 'Profil bağlantısını kopyala',
  updated: 'Profil güncellendi.',
  notUpdated: 'Profil güncellenemedi!',
} as const

/** The raw values of the form; a blank one counts as left out. */
export interface ProfileFields {
  bio?: string | undefined
  city?: string | undefined
  /** In years. */
  age?: string | number | undefined
  currentPassword?: string | undefined
  newPassword?: string | undefined
  newPasswordConfirmation?: string | undefined
}

/** The validated changes; an absent field stays as it is. */
export interface ProfileChange {
  bio?: string
  city?: string
  age?: number
  password?: { current: string; next: string }
}

/** The first error, in Turkish, and its field. */
export interface ProfileFieldError {
  path: keyof ProfileFields
  message: string
}

/**
 * Validates the form, in the browser before it is sent and on the server (specification 2, point 5, "Profile update").
 * The password changes only when the current and the new one are both given.
 */
export function parseProfile(fields: ProfileFields): ProfileChange | ProfileFieldError {
  const bio = normaliseBio(fields.bio ?? '')
  const city = normaliseCity(fields.city ?? '')
  const { age: ageText = '', currentPassword: current = '', newPassword: next = '' } = fields
  if (bio.length > MAX_BIO_LENGTH) return { path: 'bio', message: profileTexts.bioTooLong }
  if (city.length > MAX_CITY_LENGTH) return { path: 'city', message: profileTexts.cityTooLong }
  const age = ageText === '' ? null : parseAge(ageText)
  if (age === undefined) return { path: 'age', message: AGE_INVALID }
  if (next !== (fields.newPasswordConfirmation ?? '')) {
    return { path: 'newPasswordConfirmation', message: profileTexts.passwordsDiffer }
  }
  const changesPassword = current !== '' && next !== ''
  if (changesPassword && next.length < MIN_PASSWORD_LENGTH) return { path: 'newPassword', message: PASSWORD_TOO_SHORT }
  if (next.length > MAX_PASSWORD_LENGTH) return { path: 'newPassword', message: PASSWORD_TOO_LONG }
  return {
    ...(bio !== '' && { bio }),
    ...(city !== '' && { city }),
    ...(age !== null && { age }),
    ...(changesPassword && { password: { current, next } }),
  }
}

export function isProfileFieldError(parsed: ProfileChange | ProfileFieldError): parsed is ProfileFieldError {
  return 'message' in parsed
}

/** Keeps line breaks, with at most one blank line in a row. */
function normaliseBio(text: string): string {
  return collapseBlankLines(plainText(text))
}

/** Joins all lines into one. */
function normaliseCity(text: string): string {
  return plainText(text).replace(/\s+/gu, ' ')
}
