import {
  AGE_INVALID,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  PASSWORD_TOO_LONG,
  PASSWORD_TOO_SHORT,
  parseAge,
} from '../accounts/rules.ts'
import { plainText } from '../text/plain-text.ts'

/** In UTF-16 units, folded. */
export const MAX_BIO_LENGTH = 300
export const MAX_CITY_LENGTH = 60

/** What of a profile can be emptied: a blank field leaves as it is what was there. */
export const CLEARABLE_FIELDS = ['bio', 'city', 'age', 'avatar'] as const
export type ClearableField = (typeof CLEARABLE_FIELDS)[number]

export const profileTexts = {
  bioTooLong: `Hakkınızda yazısı en fazla ${MAX_BIO_LENGTH} karakter olabilir.`,
  cityTooLong: `Konum en fazla ${MAX_CITY_LENGTH} karakter olabilir.`,
  passwordsDiffer: 'Şifreleriniz eşleşmiyor!',
  currentMissing: 'Şifrenizi değiştirmek için mevcut şifrenizi de girin.',
  notLoaded: 'Profil alınırken bir hata oluştu.',
  updated: 'Profil güncellendi.',
  notUpdated: 'Profil güncellenemedi!',
} as const

/** What somebody filled in, as it comes from fields; blank is left out. */
export interface ProfileFields {
  bio?: string | undefined
  city?: string | undefined
  /** In years. */
  age?: string | number | undefined
  currentPassword?: string | undefined
  newPassword?: string | undefined
  newPasswordConfirmation?: string | undefined
}

/** What is to be changed by it. */
export interface ProfileChange {
  bio?: string
  city?: string
  age?: number
  password?: { current: string; next: string }
}

/** Why it cannot be, and which field is to blame. */
export interface ProfileFieldError {
  path: keyof ProfileFields
  message: string
}

/**
 * Reads what was filled in, in the browser before it is sent and on the server again (specification 2, point 5, "Profile
 * update"). Passwords count only where the current and the new one are both there.
 */
export function parseProfile(fields: ProfileFields): ProfileChange | ProfileFieldError {
  const bio = normaliseBio(fields.bio ?? '')
  const city = normaliseCity(fields.city ?? '')
  const { age: written = '', currentPassword: current = '', newPassword: next = '' } = fields
  if (bio.length > MAX_BIO_LENGTH) return { path: 'bio', message: profileTexts.bioTooLong }
  if (city.length > MAX_CITY_LENGTH) return { path: 'city', message: profileTexts.cityTooLong }
  const age = written === '' ? null : parseAge(written)
  if (age === undefined) return { path: 'age', message: AGE_INVALID }
  if (next !== (fields.newPasswordConfirmation ?? '')) {
    return { path: 'newPasswordConfirmation', message: profileTexts.passwordsDiffer }
  }
  const isChanged = current !== '' && next !== ''
  if (isChanged && next.length < MIN_PASSWORD_LENGTH) return { path: 'newPassword', message: PASSWORD_TOO_SHORT }
  if (next.length > MAX_PASSWORD_LENGTH) return { path: 'newPassword', message: PASSWORD_TOO_LONG }
  return {
    ...(bio !== '' && { bio }),
    ...(city !== '' && { city }),
    ...(age !== null && { age }),
    ...(isChanged && { password: { current, next } }),
  }
}

export function isProfileFieldError(read: ProfileChange | ProfileFieldError): read is ProfileFieldError {
  return 'message' in read
}

/** What somebody says of themselves: lines, but never a page of blank ones. */
function normaliseBio(text: string): string {
  return plainText(text).replace(/\n(?:[^\S\n]*\n){2,}/gu, '\n\n')
}

/** One line. */
function normaliseCity(text: string): string {
  return plainText(text).replace(/\s+/gu, ' ')
}
