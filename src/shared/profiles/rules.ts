import {
  AGE_UNFIT,
  ageOf,
  LEAST_PASSWORD,
  MOST_PASSWORD,
  PASSWORD_TOO_LONG,
  PASSWORD_TOO_SHORT,
} from '../accounts/rules.ts'
import { plainText } from '../text/plain.ts'

/** In UTF-16 units, folded. */
export const MOST_BIO = 300
export const MOST_CITY = 60

/** What of a profile can be emptied: a blank field leaves as it is what was there. */
export const CLEARABLE = ['bio', 'city', 'age', 'avatar'] as const
export type Clearable = (typeof CLEARABLE)[number]

export const profileTexts = {
  bioTooLong: `Hakkınızda yazısı en fazla ${MOST_BIO} karakter olabilir.`,
  cityTooLong: `Konum en fazla ${MOST_CITY} karakter olabilir.`,
  passwordsDiffer: 'Şifreleriniz eşleşmiyor!',
  currentMissing: 'Şifrenizi değiştirmek için mevcut şifrenizi de girin.',
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
export interface Complaint {
  path: keyof ProfileFields
  message: string
}

/**
 * Reads what was filled in, in the browser before it is sent and on the server again (specification 2, point 5, "Profile
 * update"). Passwords count only where the current and the new one are both there.
 */
export function readProfile(fields: ProfileFields): ProfileChange | Complaint {
  const bio = foldBio(fields.bio ?? '')
  const city = foldCity(fields.city ?? '')
  const { age: written = '', currentPassword: current = '', newPassword: next = '' } = fields
  if (bio.length > MOST_BIO) return { path: 'bio', message: profileTexts.bioTooLong }
  if (city.length > MOST_CITY) return { path: 'city', message: profileTexts.cityTooLong }
  const age = written === '' ? null : ageOf(written)
  if (age === undefined) return { path: 'age', message: AGE_UNFIT }
  if (next !== (fields.newPasswordConfirmation ?? '')) {
    return { path: 'newPasswordConfirmation', message: profileTexts.passwordsDiffer }
  }
  const isChanged = current !== '' && next !== ''
  if (isChanged && next.length < LEAST_PASSWORD) return { path: 'newPassword', message: PASSWORD_TOO_SHORT }
  if (next.length > MOST_PASSWORD) return { path: 'newPassword', message: PASSWORD_TOO_LONG }
  return {
    ...(bio !== '' && { bio }),
    ...(city !== '' && { city }),
    ...(age !== null && { age }),
    ...(isChanged && { password: { current, next } }),
  }
}

export function isComplaint(read: ProfileChange | Complaint): read is Complaint {
  return 'message' in read
}

/** What somebody says of themselves: lines, but never a page of blank ones. */
function foldBio(text: string): string {
  return plainText(text).replace(/\n(?:[^\S\n]*\n){2,}/gu, '\n\n')
}

/** One line. */
function foldCity(text: string): string {
  return plainText(text).replace(/\s+/gu, ' ')
}
