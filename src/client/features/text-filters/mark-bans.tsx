import { type ReactNode, useState } from 'react'
import { formatDateTime } from '../../../shared/moderation/rules.ts'
import type { MarkBan, MarkKind } from '../../../shared/text-filters/linked-accounts-protocol.ts'
import { linkedTexts, marksText } from '../../../shared/text-filters/screen-texts.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { liftMarkBan, markBanList } from './linked-accounts.ts'
import './text-filters.later.css'

/** The bans that cover browsers or addresses, each with what it covers and a button that lifts it. */
export function MarkBans(): ReactNode {
  const list = useSignalValue(markBanList.list, null)
  return (
    <section className="filter-bans" aria-label={linkedTexts.bansTitle}>
      <h3 className="filter-title">{linkedTexts.bansTitle}</h3>
      <PagedList<MarkBan & { id: number }, number>
        list={list}
        load={markBanList.load}
        empty={linkedTexts.noBans}
        row={(markBan) => <MarkBanRow key={markBan.id} markBan={markBan} />}
      />
    </section>
  )
}

function MarkBanRow({ markBan }: { markBan: MarkBan }): ReactNode {
  const { ban, browsers, addresses } = markBan
  return (
    <li className="card stack gap-3">
      <div className="filter-subject">
        <button
          type="button"
          className="row-button semibold break filter-person"
          data-person={ban.username}
          aria-haspopup="dialog"
        >
          <bdi>{ban.username}</bdi>
        </button>
        <span>
          {ban.banReason} · {ban.endsAt === null ? 'süresiz' : `${formatDateTime(ban.endsAt)} tarihine kadar`}
        </span>
      </div>
      <p className="soft small">
        {marksText(markBan)} · {formatDateTime(ban.at)} · <bdi>{ban.bannedBy}</bdi>
      </p>
      <div className="filter-actions">
        {browsers > 0 && <LiftButton markBan={markBan} kind="browser" label="Tarayıcı yasağını kaldır" />}
        {addresses > 0 && <LiftButton markBan={markBan} kind="address" label="Adres yasağını kaldır" />}
      </div>
    </li>
  )
}

function LiftButton({ markBan, kind, label }: { markBan: MarkBan; kind: MarkKind; label: string }): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const lift = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    await liftMarkBan(markBan.ban.id, kind)
    setBusy(false)
  }
  return (
    <button
      type="button"
      className="button"
      aria-label={`${label}: ${markBan.ban.username}`}
      aria-disabled={isBusy}
      onClick={lift}
    >
      {label}
    </button>
  )
}
