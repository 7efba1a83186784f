import type { BanDuration, BanReason } from '../../../shared/moderation/protocol.ts'
import type { ReportId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { isFailure, type Result } from '../../../shared/protocol/result.ts'
import type { Decision, ReportContent } from '../../../shared/reports/report.ts'
import type { DecisionKind, ReportReason } from '../../../shared/reports/rules.ts'
import { DECISION_FAILED } from '../../../shared/reports/screen-texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { pageQuery } from '../../core/http/page-query.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { openReportCount } from '../../model/reports/open-report-count.ts'
import type { LoadedReports } from './people/user-reports.ts'
import type { GroupPage } from './report-queue.ts'

export type ReportState = 'open' | 'decided'

export interface DecisionTerms {
  decision: DecisionKind
  duration?: BanDuration
  banReason?: BanReason
  text?: string
  reporterText?: string
}

interface GroupFilter {
  state: ReportState
  /** null for all. */
  reason?: ReportReason | null
  /** The cursor of the page; null for the first one. */
  before: string | null
  /** As in `callApi`. */
  isBackground?: boolean
}

/** A page of the reported users. */
export async function fetchGroups({
  state,
  reason = null,
  before,
  isBackground = false,
}: GroupFilter): Promise<Result<GroupPage>> {
  const query = new URLSearchParams({ state, ...(reason !== null && { reason }), ...(before !== null && { before }) })
  const answer = await callApi<'reportGroups'>(`/moderation/reports?${query}`, { as: 'admin', isBackground })
  if (isFailure(answer)) return answer
  openReportCount.value = answer.totalOpen
  return { items: answer.groups, next: answer.next }
}

/** A page of the reports of one user. */
export async function fetchUserReports(userId: UserId, before: ReportId | null): Promise<Result<LoadedReports>> {
  const answer = await callApi<'reportsOfUser'>(`/moderation/reports/user/${userId}${pageQuery(before)}`, {
    as: 'admin',
  })
  return isFailure(answer) ? answer : { group: answer.group, items: answer.reports, next: answer.next }
}

/** What a report keeps; the server records the read. A refusal's text, or null without an answer, when it failed. */
export async function fetchContent(id: ReportId): Promise<ReportContent | string | null> {
  const answer = await callApi<'reportContent'>(`/moderation/report/${id}`, { as: 'admin' })
  if (answer instanceof Refusal) return answer.body.message
  return isFailure(answer) ? null : answer.content
}

/** Decides reports of one user. A failure is shown in a toast, with who was first if another root admin was. */
export async function decideReports(reportIds: readonly ReportId[], terms: DecisionTerms): Promise<Decision | null> {
  const body = { reportIds, ...terms }
  const answer = await callApi<'decideReports'>('/moderation/reports/decide', { as: 'admin', body })
  return toastIfFailed(answer, DECISION_FAILED) ? null : answer.decision
}
