import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import { MAX_DECIDED_REPORTS } from '../../../../shared/reports/limits.ts'
import type { Decision, ReportGroup } from '../../../../shared/reports/report.ts'
import { openReportsText, reportTexts } from '../../../../shared/reports/screen-texts.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { ListFailure, ListLoading } from '../../../core/ui/lists/paged-list.tsx'
import { DecidedReports } from '../decisions/decided-reports.tsx'
import { DecisionBar } from '../decisions/decision-bar.tsx'
import { OpenReports } from '../open-reports.tsx'
import { openUserReports } from '../queues.ts'
import { useReportSelection } from '../use-report-selection.ts'
import type { UserReports } from './user-reports.ts'
import './user-reports-page.lazy.css'
import { countText } from '../../../core/ui/format/turkish-number.ts'
import { Avatar } from '../../../core/ui/person/avatar.tsx'
import { TierLabel } from '../../../core/ui/person/tier-label.tsx'
import { GroupTags } from '../report-group-row.tsx'
import './reported-person.lazy.css'

interface UserReportsPageProps {
  userId: UserId
  /** Shows the reports about another user in place of these. */
  open: (user: { userId: UserId; username: string }) => void
  leave: () => void
}

/** The reports about one user: the open ones to decide, and the decisions so far. */
export function UserReportsPage({ userId, open, leave }: UserReportsPageProps): ReactNode {
  const reports = useUserReports(userId)
  const state = useSignalValue(reports.store.list, null)
  const [made, setMade] = useState<Decision | null>(null)
  const openReports = useMemo(() => state?.items.filter(({ isOpen }) => isOpen) ?? [], [state])
  const selection = useReportSelection(openReports)
  if (!state && reports.failure !== null) return <ListFailure reason={reports.failure} reload={reports.load} />
  if (!state) return <ListLoading />
  if (!state.group) return <p className="list-note">{reportTexts.noneOpen}</p>
  const applyDecision = (decision: Decision): void => {
    reports.store.applyDecision(decision)
    setMade(decision)
  }
  return (
    <div className="report-page">
      <ReportedPerson group={state.group} />
      <OpenReports reports={openReports} selection={selection} />
      <DecidedReports reports={state.items} />
      {state.next !== null && (
        <button type="button" className="button wide mt-3" onClick={() => void reports.store.load(state.next)}>
          Daha fazla
        </button>
      )}
      <DecisionBar
        group={state.group}
        selected={openReports.filter(({ id }) => selection.has(id)).slice(0, MAX_DECIDED_REPORTS)}
        hasOpen={openReports.length > 0}
        made={made}
        onDecided={applyDecision}
        refresh={reports.load}
        open={open}
        leave={leave}
      />
    </div>
  )
}

interface ShownReports {
  store: UserReports
  failure: string | null
  load: () => void
}

function useUserReports(userId: UserId): ShownReports {
  const { store, ended } = useMemo(() => {
    const controller = new AbortController()
    return { store: openUserReports(userId, controller.signal), ended: controller }
  }, [userId])
  const [failure, setFailure] = useState<string | null>(null)
  const load = useCallback((): void => {
    setFailure(null)
    void (store.list.peek() ? store.reload() : store.load(null)).then(setFailure)
  }, [store])
  useEffect(() => {
    load()
    return () => ended.abort()
  }, [load, ended])
  return { store, failure, load }
}

function ReportedPerson({ group }: { group: ReportGroup }): ReactNode {
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
          <span className="report-name">
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
    </div>
  )
}
