/**
 * Times as people in Türkiye read them. The time zone is always Europe/Istanbul, so that the server and every browser
 * write the same text and hydration finds what it expects.
 */
const timeZone = 'Europe/Istanbul'
const clockFormat = new Intl.DateTimeFormat('tr-TR', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const dayFormat = new Intl.DateTimeFormat('tr-TR', {
  timeZone,
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  weekday: 'long',
})
const DAY_MS = 24 * 60 * 60 * 1000

/** `at` (epoch milliseconds) as HH:mm. */
export function clockTime(at: number): string {
  return clockFormat.format(at)
}

/** The calendar day of `at` in words: 'Bugün', 'Dün', '12 Kasım Çarşamba', with its year when it is not this one. */
export function dayName(at: number, now: number): string {
  const day = partsOf(at)
  const today = partsOf(now)
  if (isSame(day, today)) return 'Bugün'
  // Türkiye keeps one offset all year, so every day has 24 hours.
  if (isSame(day, partsOf(now - DAY_MS))) return 'Dün'
  const year = day.year === today.year ? '' : ` ${day.year}`
  return `${day.day} ${day.month}${year} ${day.weekday}`
}

/** Whether two moments lie on the same calendar day. */
export function isSameDay(a: number, b: number): boolean {
  return isSame(partsOf(a), partsOf(b))
}

/** The order of the parts differs between versions of ICU, so only the parts are taken from it. */
function partsOf(at: number): Record<string, string> {
  return Object.fromEntries(dayFormat.formatToParts(at).map(({ type, value }) => [type, value]))
}

function isSame(a: Record<string, string>, b: Record<string, string>): boolean {
  return a.day === b.day && a.month === b.month && a.year === b.year
}
