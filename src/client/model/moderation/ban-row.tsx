import { type ReactNode, useState } from 'react'
import type { Ban } from '../../../shared/moderation/protocol.ts'
import { formatDateTime, GHOST_BAN_LABEL, LIFT_BAN_LABEL } from '../../../shared/moderation/rules.ts'
import './moderation.css'

export const NO_BANS_TEXT = 'Yasaklı kullanıcı yok.'

interface BanRowProps {
  /** Without a kind, the ban is from a room. */
  ban: Pick<Ban, 'username' | 'banReason' | 'bannedBy' | 'at' | 'endsAt'> & Partial<Pick<Ban, 'kind'>>
  /** Lifts the ban. Returns whether it succeeded: then the row is unmounted. */
  lift: () => Promise<boolean>
}

/** A ban with its reason, end and author, and a button that lifts it. */
export function BanRow({ ban, lift }: BanRowProps): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const press = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    if (!(await lift())) setBusy(false)
  }
  return (
    <li className="row gap-3 py-3">
      <div className="stack gap-0 grow break">
        <button type="button" className="ban-row-name" data-person={ban.username} aria-haspopup="dialog">
          <bdi>{ban.username}</bdi>
        </button>
        <span className="soft small">
          {ban.kind === 'ghost' && `${GHOST_BAN_LABEL} · `}
          {ban.banReason} · {ban.endsAt === null ? 'süresiz' : `${formatDateTime(ban.endsAt)} tarihine kadar`}
        </span>
        <span className="faint small tabular">
          {formatDateTime(ban.at)} · <bdi>{ban.bannedBy}</bdi>
        </span>
      </div>
      <button
        type="button"
        className="button button--compact"
        aria-label={`${LIFT_BAN_LABEL}: ${ban.username}`}
        aria-disabled={isBusy}
        onClick={press}
      >
        {LIFT_BAN_LABEL}
      </button>
    </li>
  )
}
