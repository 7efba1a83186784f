import type { ReactNode } from 'react'
import type { ReportGroup } from '../../../shared/reports/report.ts'
import { openReportsText, reportTexts } from '../../../shared/reports/screen-texts.ts'
import { REPORT_REASON_LABELS } from '../../../shared/reports/texts.ts'
import { live } from '../../core/live/state.ts'
import { ageText } from '../../core/ui/format/age-text.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { ChevronIcon } from '../../core/ui/lazy-icons.tsx'
import { Avatar } from '../../core/ui/person/avatar.tsx'
import { TierLabel } from '../../core/ui/person/tier-label.tsx'
import type { ReportState } from './reports-api.ts'
import './report-group-row.lazy.css'

interface ReportGroupRowProps {
  group: ReportGroup
  state: ReportState
  open: () => void
}

/** A reported user in the queue. */
export function ReportGroupRow({ group, state, open }: ReportGroupRowProps): ReactNode {
  const { user, openCount, decidedCount, reporterCount, reasons, latestAt } = group
  const count = state === 'open' ? openCount : decidedCount
  return (
    <li>
      <button type="button" className="row-button wide grow report-person" data-user={user.id} onClick={open}>
        <Avatar user={user} size={48} />
        <span className="stack gap-half grow">
          <span className="report-name">
            <bdi>{user.username}</bdi>
            <TierLabel person={user} />
          </span>
          <span className="truncate small">{reasons.map((reason) => REPORT_REASON_LABELS[reason]).join(', ')}</span>
          <span className="report-group-facts">
            {countText(reporterCount)} kişi · {ageText(live.serverNow() - latestAt)}
            <GroupTags group={group} />
          </span>
        </span>
        <span data-state={state}>
          <span aria-hidden="true">{countText(count)}</span>
          <span className="visually-hidden">{state === 'open' ? openReportsText(count) : `${count} şikâyet`}</span>
        </span>
        <ChevronIcon size={18} />
      </button>
    </li>
  )
}

/** Whether the user is banned or gone. */
export function GroupTags({ group: { userIsBanned, isGone } }: { group: ReportGroup }): ReactNode {
  return (
    <>
      {userIsBanned && <span className="tag tag--danger">{reportTexts.banned}</span>}
      {isGone && <span className="tag tag--neutral">{reportTexts.gone}</span>}
    </>
  )
}
