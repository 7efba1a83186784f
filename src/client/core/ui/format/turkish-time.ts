import { turkishDateFormat } from '../../../../shared/text/turkish-date-format.ts'

/**
 * Times in Turkish. The time zone is always Europe/Istanbul, so that server and browser render the same text and
 * hydration matches.
 */
const timeZone = 'Europe/Istanbul'
const dayOptions: Intl.DateTimeFormatOptions = {
  timeZone,
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  weekday: 'long',
}
const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
/** Türkiye has had one UTC offset since 2016, so days and minutes are computed without Intl. */
const OFFSET_MS = 3 * HOUR_MS

/** `at` (epoch milliseconds) as HH:mm. */
export function clockTime(at: number): string {
  return new Date(at + OFFSET_MS).toISOString().slice(11, 16)
}

/** The calendar day of `at`: 'Bugün', 'Dün', '12 Kasım Çarşamba', with the year if it is not the present one. */
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

/** Whether two times are on the same calendar day. */
export function isSameDay(a: number, b: number): boolean {
  return dayNumber(a) === dayNumber(b)
}

/** The order of the parts differs between ICU versions, so the format's own text is not used. */
function partsOf(at: number): Record<string, string> {
  return Object.fromEntries(
    turkishDateFormat(dayOptions)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
}

/** The calendar day of `at`, in days since 1970-01-01. */
export function dayNumber(at: number): number {
  return Math.floor((at + OFFSET_MS) / DAY_MS)
}
