import { DAY_MS, ISTANBUL_OFFSET_MS } from '../text/istanbul-time.ts'

/** The calendar day of a time in Türkiye: `2026-11-23`. */
export function dayOf(at: number): string {
  return new Date(at + ISTANBUL_OFFSET_MS).toISOString().slice(0, 10)
}

/** Whether a text is a calendar day as `dayOf` writes it. */
export function isDay(text: string): boolean {
  const at = /^20\d\d-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** The first millisecond of a day, and that of the next one. */
export function rangeOfDay(day: string): { from: number; to: number } {
  const from = Date.parse(`${day}T00:00:00Z`) - ISTANBUL_OFFSET_MS
  return { from, to: from + DAY_MS }
}
