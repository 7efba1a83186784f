import type { ReportId, UserId } from '../../../../shared/protocol/ids.ts'
import type { Result } from '../../../../shared/protocol/result.ts'
import type { Decision, Report, ReportGroup } from '../../../../shared/reports/report.ts'
import { REPORTS_NOT_LOADED } from '../../../../shared/reports/screen-texts.ts'
import { LiveList, type PagedItems } from '../../../core/signals/live-list.ts'

export interface LoadedReports extends PagedItems<Report, ReportId> {
  /** null when the user has no reports. */
  group: ReportGroup | null
}

/** The reports about one user, the open and the decided ones, the latest first. */
export class UserReports extends LiveList<Report, ReportId, LoadedReports> {
  constructor(userId: UserId, fetchPage: (userId: UserId, before: ReportId | null) => Promise<Result<LoadedReports>>) {
    super({
      failureText: () => REPORTS_NOT_LOADED,
      reloadedPages: Number.POSITIVE_INFINITY,
      fetchPage: (before) => fetchPage(userId, before),
    })
  }

  /** Shows a decision before its event arrives. */
  applyDecision(decision: Decision): void {
    this.change((list) => ({
      ...list,
      items: list.items.map((report) =>
        decision.reportIds.includes(report.id) ? { ...report, isOpen: false, decision } : report,
      ),
    }))
  }
}
