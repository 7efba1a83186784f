import { type ReactNode, useEffect, useState } from 'react'
import type { OwnRoom } from '../../../shared/room-orders/own-room.ts'
import { GRACE_MS, termStateOf } from '../../../shared/room-orders/term-rules.ts'
import { daysToCloseText, daysToExpiryText, EXTEND_LABEL } from '../../../shared/room-orders/texts.ts'
import { daysLeft } from '../../../shared/text/istanbul-time.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import type { RenewedRoom } from './renew-room-wizard.tsx'
import './days-left-button.lazy.css'

const MINUTE_MS = 60_000

/** The server's time, to the minute. */
export function useServerMinute(): number {
  const [now, setNow] = useState(() => live.serverNow())
  useEffect(() => {
    const timer = setInterval(() => setNow(live.serverNow()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** The days that a room has left, from a week before its expiry until a week after it; null at other times. */
export function daysLeftText(room: Pick<OwnRoom, 'isActive' | 'expiryDate'>, now: number): string | null {
  const state = termStateOf(room, now)
  if (room.expiryDate === null || state === 'running' || state === 'closed') return null
  return state === 'ending'
    ? daysToExpiryText(daysLeft(room.expiryDate, now))
    : daysToCloseText(daysLeft(room.expiryDate + GRACE_MS, now))
}

/** Shows the owner the days left, and opens the extension (specification 2, point 2, "My rooms"). */
export function DaysLeftButton({ room }: { room: RenewedRoom & Pick<OwnRoom, 'ownerId' | 'isActive'> }): ReactNode {
  const text = daysLeftText(room, useServerMinute())
  if (text === null || room.ownerId === null || !session.isSelf(room.ownerId)) return null
  return (
    <button
      type="button"
      className="button days-left"
      aria-label={`#${room.name}: ${text}, ${EXTEND_LABEL}`}
      title={EXTEND_LABEL}
      aria-haspopup="dialog"
      onClick={() => openOverlay('renewRoom', { room })}
    >
      {text}
    </button>
  )
}
