import { DAY_MS, ISTANBUL_OFFSET_MS } from '../text/istanbul-time.ts'

/** The owner is warned, and may renew, from this long before the expiry (specification 2, point 9). */
export const RENEWAL_WINDOW_MS = 7 * DAY_MS
/** A room stays open this long after its expiry; then it is deactivated (specification 2, point 9). */
export const GRACE_MS = 7 * DAY_MS

/**
 * Where a room is in its paid term: `running`; `ending`, in the 7 days before its expiry; `overdue`, in the 7 days after
 * it; `closed`.
 */
export type TermState = 'running' | 'ending' | 'overdue' | 'closed'

export interface RoomTerm {
  isActive: boolean
  /** Epoch milliseconds; null for a room without expiry. */
  expiryDate: number | null
}

/** The state of a room's term at `now` (epoch milliseconds). */
export function termStateOf({ isActive, expiryDate }: RoomTerm, now: number): TermState {
  if (!isActive) return 'closed'
  if (expiryDate === null || now < expiryDate - RENEWAL_WINDOW_MS) return 'running'
  if (now <= expiryDate) return 'ending'
  return now <= expiryDate + GRACE_MS ? 'overdue' : 'closed'
}

/** Whether the owner may renew: from 7 days before the expiry on, also after the room was deactivated. */
export function isRenewable(room: RoomTerm, now: number): boolean {
  return room.expiryDate !== null && termStateOf(room, now) !== 'running'
}

/** The expiry after a purchase of `months`: what is left of the present term is kept. */
export function extendExpiry(expiryDate: number | null, months: number, now: number): number {
  return addMonths(Math.max(expiryDate ?? now, now), months)
}

/** The same day and time of a later month in Istanbul, or that month's last day where it is shorter. */
export function addMonths(at: number, months: number): number {
  const day = new Date(at + ISTANBUL_OFFSET_MS)
  const monthStart = new Date(day)
  monthStart.setUTCDate(1)
  monthStart.setUTCMonth(monthStart.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(monthStart.getUTCFullYear(), monthStart.getUTCMonth() + 1, 0)).getUTCDate()
  monthStart.setUTCDate(Math.min(day.getUTCDate(), lastDay))
  return monthStart.getTime() - ISTANBUL_OFFSET_MS
}
