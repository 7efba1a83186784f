import { foldName } from '../text/turkish.ts'

/** A guest's name is free again this long after the guest was last there. */
export const GUEST_NAME_HOLD_MS = 30 * 60 * 1000
/** A guest who was away for this long has lost the name and the session even if nobody wanted the name. */
export const GUEST_RETENTION_MS = 24 * 60 * 60 * 1000
/** A session that was not used for this long is over; its cookie lives as long. */
export const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000

/** Of a member, in years. */
export const MIN_AGE = 18
export const MAX_AGE = 99
export const AGE_INVALID = 'Yaşınız uygun değil!'
export const SIGN_UP_DONE = 'Kayıt ve giriş başarılı!'
/** Of a password, in UTF-16 units. */
export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 128
export const PASSWORD_TOO_SHORT = `Şifre en az ${MIN_PASSWORD_LENGTH} karakter olmalıdır.`
export const PASSWORD_TOO_LONG = `Şifre en fazla ${MAX_PASSWORD_LENGTH} karakter olabilir.`

/** The age of a member, of a field two plain digits; undefined where it is none that somebody here can have. */
export function parseAge(written: string | number): number | undefined {
  const age = typeof written === 'number' ? written : /^\d{2}$/.test(written.trim()) ? Number(written) : 0
  return Number.isInteger(age) && age >= MIN_AGE && age <= MAX_AGE ? age : undefined
}

/** Whether a guest who was last there at `lastSeenAt` has lost the claim to the name. */
export function isGuestNameExpired(lastSeenAt: number, now: number): boolean {
  return now - lastSeenAt >= GUEST_NAME_HOLD_MS
}

/** Names that speak for the house. Written folded and without accents. */
const reservedNames = new Set([
  'meydan',
  'admin',
  'administrator',
  'superadmin',
  'sysadmin',
  'rootadmin',
  'root',
  'mod',
  'moderator',
  'moderasyon',
  'yonetici',
  'yonetim',
  'yetkili',
  'kurucu',
  'operator',
  'webmaster',
  'sistem',
  'system',
  'sunucu',
  'destek',
  'support',
  'misafir',
  'anonim',
  'resmi',
])

const digitsAsLetters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
}
/** Letters with a stroke and the like, which are no letter with an accent to Unicode. */
const plainLetters: Readonly<Record<string, string>> = {
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ĸ: 'k',
  ł: 'l',
  ŋ: 'n',
  ø: 'o',
  ŧ: 't',
}

/**
 * Whether a name passes itself off as the house: a reserved word alone, beside digits or separators (`admin_ali`,
 * `1admin`), spread over separators (`a.d.m.i.n`), with accents or strokes (`ađmin`), or with digits for letters (`4dm1n`,
 * `adm1n1`).
 * A reserved word within another word (`adminton`) is free.
 */
export function isReservedName(name: string): boolean {
  const plain = foldName(name)
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[đðħĸłŋøŧ]/g, (letter) => plainLetters[letter] ?? letter)
  const spell = (text: string) => text.replace(/[013457]/g, (digit) => digitsAsLetters[digit] ?? digit)
  const unnumbered = plain.replace(/^\d+|\d+$/g, '')
  return [plain, spell(plain), spell(unnumbered)].some((text) => {
    const words = text.split(/[^\p{Letter}]+/u)
    return [...words, words.join('')].some((word) => reservedNames.has(word))
  })
}
