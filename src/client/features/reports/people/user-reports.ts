import type { ReportId, UserId } from '../../../../shared/protocol/ids.ts'
import type { Decision, Report, ReportGroup } from '../../../../shared/reports/report.ts'
import { signal } from '../../../core/signals/signal.ts'

export interface UserReportsState {
  /** null when the user has no reports. */
  group: ReportGroup | null
  /** The latest first. */
  reports: readonly Report[]
  /** The cursor of the next page; null at the end. */
  next: ReportId | null
}

/** A page of the reports of one user; null when it failed. */
type FetchUserReports = (userId: UserId, before: ReportId | null) => Promise<UserReportsState | null>

/** The reports about one user, the open and the decided ones, kept current by events. */
export class UserReports {
  readonly userId: UserId
  /** null before the first load. */
  readonly state = signal<UserReportsState | null>(null)
  private readonly fetchPage: FetchUserReports
  private turn = 0

  constructor(userId: UserId, fetchPage: FetchUserReports) {
    this.userId = userId
    this.fetchPage = fetchPage
  }

  /** Loads as many reports as are shown, at least a page. Returns whether it succeeded. */
  async refresh(): Promise<boolean> {
    const turn = ++this.turn
    const wanted = this.state.peek()?.reports.length ?? 0
    let loaded = await this.fetchPage(this.userId, null)
    while (loaded && loaded.next !== null && loaded.reports.length < wanted)
      loaded = await this.append(loaded, loaded.next)
    // A later refresh has the newer state.
    if (turn !== this.turn) return true
    if (loaded) this.state.value = loaded
    return loaded !== null
  }

  /** Loads the next page. Returns whether it succeeded. */
  async loadMore(): Promise<boolean> {
    const known = this.state.peek()
    if (!known || known.next === null) return true
    const turn = ++this.turn
    const loaded = await this.append(known, known.next)
    if (loaded && turn === this.turn) this.state.value = loaded
    return loaded !== null
  }

  /** Shows a decision before its event arrives. */
  applyDecision(decision: Decision): void {
    const known = this.state.peek()
    if (!known) return
    const reports = known.reports.map((report) =>
      decision.reportIds.includes(report.id) ? { ...report, isOpen: false, decision } : report,
    )
    this.state.value = { ...known, reports }
  }

  private async append(known: UserReportsState, next: ReportId): Promise<UserReportsState | null> {
    const page = await this.fetchPage(this.userId, next)
    return page && { ...page, reports: [...known.reports, ...page.reports] }
  }
}
