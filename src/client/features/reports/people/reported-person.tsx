import { type ReactNode, useState } from 'react'
import type { ReportGroup } from '../../../../shared/reports/report.ts'
import { openReportsText, reportTexts } from '../../../../shared/reports/screen-texts.ts'
import { session } from '../../../core/session/session.ts'
import { countText } from '../../../core/ui/format/turkish-number.ts'
import { Avatar } from '../../../core/ui/person/avatar.tsx'
import { TierLabel } from '../../../core/ui/person/tier-label.tsx'
import { queues } from '../queues.ts'
import { GroupTags } from '../report-group-row.tsx'
import { assignReports } from '../reports-api.ts'
import './reported-person.later.css'

interface ReportedPersonProps {
  group: ReportGroup
  onChange: (group: ReportGroup) => void
}

/** The reported user, and who works on the reports. */
export function ReportedPerson({ group, onChange }: ReportedPersonProps): ReactNode {
  const { user, openCount, reporterCount } = group
  return (
    <div className="report-head">
      {/* The page opens the profile of a clicked `data-person`. */}
      <button
        type="button"
        className="row-button wide grow report-person"
        data-person={user.username}
        aria-haspopup="dialog"
      >
        <Avatar user={user} size={48} />
        <span className="stack gap-half grow">
          <span className="report-group-name">
            <bdi>{user.username}</bdi>
            <TierLabel person={user} />
          </span>
          <span className="report-group-facts">
            {openCount > 0 && `${openReportsText(openCount)} · `}
            {countText(reporterCount)} kişi bildirdi
            <GroupTags group={group} />
          </span>
        </span>
      </button>
      <AssignButton group={group} onChange={onChange} />
    </div>
  )
}

function AssignButton({ group: { user, assignee }, onChange }: ReportedPersonProps): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const isOwn = assignee !== null && session.isSelf(assignee.id)
  const press = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    const changed = await assignReports(user.id, !isOwn)
    setBusy(false)
    if (!changed) return
    onChange(changed)
    queues.open.applyGroup(changed)
  }
  return (
    <button type="button" className="button report-assign" aria-disabled={isBusy} onClick={() => void press()}>
      {isOwn ? reportTexts.release : assignee ? reportTexts.takeOver : reportTexts.assign}
    </button>
  )
}
