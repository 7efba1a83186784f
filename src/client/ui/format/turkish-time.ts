/**
 * Times as people in Türkiye read them. The time zone is always Europe/Istanbul, so that the server and every browser
 * write the same text and hydration finds what it expects.
 */
const timeZone = 'Europe/Istanbul'
/** Made when it is first needed, which is seldom: making one can take a slow phone 100 ms. */
let dayFormat: Intl.DateTimeFormat | undefined
const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
/** Türkiye keeps one offset all year since 2016, so its days and minutes can be counted without a calendar. */
const OFFSET_MS = 3 * HOUR_MS

/** `at` (epoch milliseconds) as HH:mm. */
export function clockTime(at: number): string {
  return new Date(at + OFFSET_MS).toISOString().slice(11, 16)
}

/** The calendar day of `at` in words: 'Bugün', 'Dün', '12 Kasım Çarşamba', with its year when it is not this one. */
export function dayName(at: number, now: number): string {
  if (isSameDay(at, now)) return 'Bugün'
  if (isSameDay(at, now - DAY_MS)) return 'Dün'
  const day = partsOf(at)
  const today = partsOf(now)
  const year = day.year === today.year ? '' : ` ${day.year}`
  return `${day.day} ${day.month}${year} ${day.weekday}`
}

/** The calendar day of `at` with its year: '12 Kasım 2025'. */
export function dateText(at: number): string {
  const { day, month, year } = partsOf(at)
  return `${day} ${month} ${year}`
}

/** Whether two moments lie on the same calendar day. */
export function isSameDay(a: number, b: number): boolean {
  return dayNumber(a) === dayNumber(b)
}

/** The order of the parts differs between versions of ICU, so only the parts are taken from it. */
function partsOf(at: number): Record<string, string> {
  dayFormat ??= new Intl.DateTimeFormat('tr-TR', {
    timeZone,
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    weekday: 'long',
  })
  return Object.fromEntries(dayFormat.formatToParts(at).map(({ type, value }) => [type, value]))
}

/** The calendar day of `at`, counted from 1970. */
export function dayNumber(at: number): number {
  return Math.floor((at + OFFSET_MS) / DAY_MS)
}
