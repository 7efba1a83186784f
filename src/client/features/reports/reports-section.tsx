import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { type ReportReason, reportReasons } from '../../../shared/reports/rules.ts'
import {
  emptyReportTexts,
  REASON_LEGEND,
  REPORTS_LABEL,
  reportTabLabels,
  reportTexts,
  waitingText,
} from '../../../shared/reports/screen-texts.ts'
import { REPORT_REASON_LABELS } from '../../../shared/reports/texts.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { Select } from '../../core/ui/forms/select.tsx'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { Tabs, tabPanelProps } from '../../core/ui/tabs.tsx'
import type { ModerationSectionProps } from '../../model/moderation/moderation-section.ts'
import { useSectionPage } from '../../model/moderation/section-page.ts'
import { UserReportsPage } from './people/user-reports-page.tsx'
import { filterByReason, queues, reasonFilter } from './queues.ts'
import { ReportGroupRow } from './report-group-row.tsx'
import type { ReportState } from './reports-api.ts'
import '../../core/ui/forms/field.css'
import './reports-section.lazy.css'

/** The user whose reports are open. */
interface OpenedUser {
  userId: UserId
  username: string
}

const TABS_ID = 'report-tabs'
const tabs = [
  { tab: 'open', label: reportTabLabels.open },
  { tab: 'decided', label: reportTabLabels.decided },
] as const

/** 'Şikâyetler': the reported users, and the reports about one of them. */
export function ReportsSection({ parameter }: ModerationSectionProps<'reports'>): ReactNode {
  const [opened, open] = useState<OpenedUser | null>(parameter ?? null)
  const [state, setState] = useState<ReportState>('open')
  const reason = useSignalValue(reasonFilter, null)
  const leave = useCallback(() => open(null), [])
  const place = useRef<HTMLDivElement>(null)
  useSectionPage(opened?.username ?? null, leave)
  useListPosition(place, opened?.userId ?? null)
  return (
    <div ref={place} className="reports">
      {opened && <UserReportsPage key={opened.userId} userId={opened.userId} open={open} leave={leave} />}
      {/* It stays, so that its loaded pages and its place do. */}
      <div hidden={opened !== null}>
        <Tabs isSticky label={REPORTS_LABEL} id={TABS_ID} tabs={tabs} shown={state} onSelect={setState} />
        <div {...tabPanelProps(TABS_ID, state)}>
          <ReasonFilter reason={reason} />
          <GroupList key={`${state} ${reason}`} state={state} reason={reason} isShown={opened === null} open={open} />
        </div>
      </div>
    </div>
  )
}

/** A user's reports begin at their top; the list is left and entered again where it was, with the focus on the user's row. */
function useListPosition(place: { current: HTMLElement | null }, userId: UserId | null): void {
  const listTop = useRef(0)
  const lastUserId = useRef(userId)
  const scroller = useRef<Element | null>(null)
  useEffect(() => {
    scroller.current = place.current?.closest('.panel-scroll') ?? null
    const rememberTop = (): void => {
      if (lastUserId.current === null) listTop.current = scroller.current?.scrollTop ?? 0
    }
    const { current } = scroller
    current?.addEventListener('scroll', rememberTop, { passive: true })
    return () => current?.removeEventListener('scroll', rememberTop)
  }, [place])
  useLayoutEffect(() => {
    const left = lastUserId.current
    if (left === userId) return
    lastUserId.current = userId
    scroller.current?.scrollTo(0, userId === null ? listTop.current : 0)
    const row = userId === null ? place.current?.querySelector<HTMLElement>(`[data-user="${left}"]`) : null
    const target = row ?? place.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true], .report-person')
    target?.focus({ preventScroll: true })
  }, [place, userId])
}

const ANY = ''
const reasonOptions = [
  [ANY, reportTexts.anyReason],
  ...reportReasons.map((reason) => [reason, REPORT_REASON_LABELS[reason]] as const),
] as const

function ReasonFilter({ reason }: { reason: ReportReason | null }): ReactNode {
  return (
    <search>
      <Select
        className="field-label row end gap-3"
        label={REASON_LEGEND}
        options={reasonOptions}
        value={reason ?? ANY}
        onChange={(chosen) => filterByReason(chosen === ANY ? null : chosen)}
      />
    </search>
  )
}

interface GroupListProps {
  state: ReportState
  reason: ReportReason | null
  isShown: boolean
  open: (user: OpenedUser) => void
}

function GroupList({ state, reason, isShown, open }: GroupListProps): ReactNode {
  const queue = queues[state]
  const waitingCount = useSignalValue(queue.waitingCount, 0)
  // Where the viewer comes back to the list, nothing is under the finger yet.
  useLayoutEffect(() => {
    if (isShown) queue.showWaiting()
  }, [queue, isShown])
  return (
    <>
      <PagedList
        list={queue}
        empty={reason === null ? emptyReportTexts[state] : reportTexts.noneOfReason}
        isEndless
        row={(group) => (
          <ReportGroupRow
            key={group.user.id}
            group={group}
            state={state}
            open={() => open({ userId: group.user.id, username: group.user.username })}
          />
        )}
      />
      <p className="report-waiting" role="status">
        {waitingCount > 0 && (
          <button type="button" className="button button--accent" onClick={() => queue.showWaiting()}>
            {waitingText(waitingCount)}
          </button>
        )}
      </p>
    </>
  )
}
