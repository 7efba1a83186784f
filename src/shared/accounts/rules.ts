import type { RefusalBody } from '../protocol/refusals.ts'

/** A guest's name is free again this long after the guest was last seen. */
export const GUEST_NAME_HOLD_MS = 30 * 60 * 1000
/** A guest who was away for this long loses the name and the session, even if nobody else asked for the name. */
export const GUEST_RETENTION_MS = 24 * 60 * 60 * 1000
/** A session ends after this long without use; its cookie has the same lifetime. */
export const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000

/** A member's age in years. */
export const MIN_AGE = 18
export const MAX_AGE = 99
export const USERNAME_MISSING = 'Bir kullanıcı adı seç.'
export const USERNAME_TOO_SHORT = 'Kullanıcı adı en az 3 karakter olmalıdır.'
export const OWN_USERNAME_MISSING = 'Kullanıcı adını gir.'
export const PASSWORD_MISSING = 'Bir şifre seç.'
export const OWN_PASSWORD_MISSING = 'Şifreni gir.'
export const AGE_INVALID = 'Yaşınız uygun değil!'
export const CONFIRM_PASSWORD_FAILED = 'Şifre doğrulanamadı. Lütfen tekrar dene.'
export const SIGN_UP_DONE = 'Kayıt ve giriş başarılı!'
/** Password lengths in UTF-16 units. */
export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 128
export const PASSWORD_TOO_SHORT = `Şifre en az ${MIN_PASSWORD_LENGTH} karakter olmalıdır.`
export const PASSWORD_TOO_LONG = `Şifre en fazla ${MAX_PASSWORD_LENGTH} karakter olabilir.`

const signUpFields = ['username', 'password', 'age'] as const

/** The field of the sign-up form that a refusal is about; null for the whole form. */
export function signUpFieldOf({ code, path }: RefusalBody): (typeof signUpFields)[number] | null {
  if (code === 'UsernameTaken' || code === 'UsernameReserved') return 'username'
  return signUpFields.find((name) => name === path) ?? null
}

/** Parses an age from a number or from text of two digits; undefined outside `MIN_AGE` to `MAX_AGE`. */
export function parseAge(input: string | number): number | undefined {
  const age = typeof input === 'number' ? input : /^\d{2}$/.test(input.trim()) ? Number(input) : 0
  return Number.isInteger(age) && age >= MIN_AGE && age <= MAX_AGE ? age : undefined
}

/** Whether a guest who was last seen at `lastSeenAt` (epoch milliseconds) has lost the name. */
export function isGuestNameExpired(lastSeenAt: number, now: number): boolean {
  return now - lastSeenAt >= GUEST_NAME_HOLD_MS
}
