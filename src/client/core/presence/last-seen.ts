import { clockTime, dayName } from '../ui/format/turkish-time.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** For how long a user is online. Both times are epoch milliseconds of the server; null: the start is unknown. */
export function onlineText(connectedAt: number | null, now: number): string {
  const ms = connectedAt === null ? 0 : now - connectedAt
  if (ms < MINUTE_MS) return 'Çevrimiçi'
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} dakikadır çevrimiçi`
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} saattir çevrimiçi`
  return `${Math.floor(ms / DAY_MS)} gündür çevrimiçi`
}

/** When a user was last active: in minutes within an hour, else by day and time. */
export function lastSeenText(at: number, now: number): string {
  const ms = now - at
  if (ms < MINUTE_MS) return 'Son görülme: az önce'
  if (ms < HOUR_MS) return `Son görülme: ${Math.floor(ms / MINUTE_MS)} dakika önce`
  return `Son görülme: ${dayName(at, now)} ${clockTime(at)}`
}
