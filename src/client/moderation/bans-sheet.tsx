import { type ReactNode, useId, useState } from 'react'
import type { Ban } from '../../shared/moderation/protocol.ts'
import { BANNED_USERS_LABEL, formatDateTime, LIFT_BAN_LABEL } from '../../shared/moderation/rules.ts'
import type { OverlayProps } from '../shell/overlays/overlays.ts'
import { Sheet } from '../ui/dialogs/sheet.tsx'
import { PagedList } from '../ui/lists/paged-list.tsx'
import { useSignalValue } from '../use-signal-value.ts'
import { banList, loadBans, requestBanLift } from './bans.ts'
import './moderation.css'

/** The list of bans, each with its reason, end and author, and a button that lifts it. */
export function BansSheet({ onClose }: OverlayProps): ReactNode {
  const titleId = useId()
  const list = useSignalValue(banList, null)
  return (
    <Sheet title={BANNED_USERS_LABEL} titleId={titleId} side="right" onClose={onClose}>
      <div className="panel-scroll bans">
        <PagedList
          list={list}
          load={loadBans}
          empty="Yasaklı kullanıcı yok."
          row={(ban) => <BanRow key={ban.id} ban={ban} />}
        />
      </div>
    </Sheet>
  )
}

function BanRow({ ban }: { ban: Ban }): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const lift = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    // A lifted ban's row is unmounted.
    if (!(await requestBanLift({ id: ban.userId, username: ban.username }))) setBusy(false)
  }
  return (
    <li className="ban-row">
      <div className="ban-row-text">
        <button type="button" className="ban-row-name" data-person={ban.username} aria-haspopup="dialog">
          <bdi>{ban.username}</bdi>
        </button>
        <span className="ban-row-reason">
          {ban.banReason} · {ban.endsAt === null ? 'süresiz' : `${formatDateTime(ban.endsAt)} tarihine kadar`}
        </span>
        <span className="ban-row-by">
          {formatDateTime(ban.at)} · <bdi>{ban.bannedBy}</bdi>
        </span>
      </div>
      <button
        type="button"
        className="button"
        aria-label={`${LIFT_BAN_LABEL}: ${ban.username}`}
        aria-disabled={isBusy}
        onClick={lift}
      >
        {LIFT_BAN_LABEL}
      </button>
    </li>
  )
}
