import { type ReactNode, useEffect, useState } from 'react'
import type { Ban } from '../../../shared/moderation/protocol.ts'
import { formatDateTime, GHOST_BAN_LABEL, LIFT_BAN_LABEL } from '../../../shared/moderation/rules.ts'
import { live } from '../../core/live/state.ts'
import './moderation.css'

export const NO_BANS_TEXT = 'Yasaklı kullanıcı yok.'

interface BanRowProps {
  /** Without a kind, the ban is from a room. */
  ban: Pick<Ban, 'username' | 'banReason' | 'bannedBy' | 'at' | 'endsAt'> & Partial<Pick<Ban, 'kind'>>
  /** Lifts the ban. Returns whether it succeeded. */
  lift: () => Promise<boolean>
}

/** A ban in a list. */
export function BanRow({ ban, lift }: BanRowProps): ReactNode {
  const reason = ban.kind === 'ghost' ? `${GHOST_BAN_LABEL} · ${ban.banReason}` : ban.banReason
  return <RestrictionRow {...ban} reason={reason} by={ban.bannedBy} liftLabel={LIFT_BAN_LABEL} lift={lift} />
}

interface RestrictionRowProps {
  username: string
  /** With its kind or place, if the list has several. */
  reason: string
  by: string
  at: number
  endsAt: number | null
  liftLabel: string
  /** What the button shows, if less than the label. */
  shortLiftLabel?: string
  /** Lifts it. Returns whether it succeeded: then the row is unmounted. */
  lift: () => Promise<boolean>
}

/** A ban or a mute with its reason, end and author, and a button that lifts it. It disappears at its end. */
export function RestrictionRow(props: RestrictionRowProps): ReactNode {
  const { username, reason, by, at, endsAt, liftLabel, shortLiftLabel = liftLabel, lift } = props
  const [isBusy, setBusy] = useState(false)
  const isOver = useIsOver(endsAt)
  if (isOver) return null
  const liftOnce = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    if (!(await lift())) setBusy(false)
  }
  return (
    <li className="row gap-3 py-3">
      <div className="stack gap-0 grow break">
        <button type="button" className="ban-row-name" data-person={username} aria-haspopup="dialog">
          <bdi>{username}</bdi>
        </button>
        <span className="soft small">
          {reason} · {endsAt === null ? 'süresiz' : `${formatDateTime(endsAt)} tarihine kadar`}
        </span>
        <span className="faint small tabular">
          {formatDateTime(at)} · <bdi>{by}</bdi>
        </span>
      </div>
      <button
        type="button"
        className="button button--compact"
        aria-label={`${liftLabel}: ${username}`}
        aria-disabled={isBusy}
        onClick={liftOnce}
      >
        {shortLiftLabel}
      </button>
    </li>
  )
}

/** Whether a time of the server is over, also when it passes while this is shown. */
function useIsOver(endsAt: number | null): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (endsAt === null) return
    const timer = setTimeout(() => setOver(true), Math.max(0, endsAt - live.serverNow()))
    return () => clearTimeout(timer)
  }, [endsAt])
  return isOver
}
