import type { ReportReason } from '../../../shared/reports/rules.ts'
import { live } from '../../core/live/state.ts'
import { signal } from '../../core/signals/signal.ts'
import { UserReports } from './people/user-reports.ts'
import { ReportQueue } from './report-queue.ts'
import { fetchGroups, fetchUserReports } from './reports-api.ts'

/** The reason that the reports of the listed users have; null for all. */
export const reasonFilter = signal<ReportReason | null>(null)

/** The reported users with open reports, and those with decided ones. */
export const queues = {
  open: new ReportQueue(
    (before) => fetchGroups({ state: 'open', reason: reasonFilter.peek(), before }),
    ({ openCount }) => openCount > 0,
  ),
  decided: new ReportQueue(
    (before) => fetchGroups({ state: 'decided', reason: reasonFilter.peek(), before }),
    () => true,
  ),
}

/** Lists the users with reports of a reason. */
export function filterByReason(reason: ReportReason | null): void {
  reasonFilter.value = reason
  queues.open.restart()
  queues.decided.restart()
}

live.on('reportsChanged', (change) => {
  queues.open.applyChange(change)
  queues.decided.applyChange(change)
})
live.on('resync', () => {
  void queues.open.reload()
  void queues.decided.reload()
})

/** The reports about one user, kept current until `ended`. */
export function openUserReports(userId: number, ended: AbortSignal): UserReports {
  const reports = new UserReports(userId, fetchUserReports)
  const stops = [
    live.on('reportsChanged', (change) => {
      if (change.userId === userId) void reports.reload()
    }),
    live.on('resync', () => void reports.reload()),
  ]
  ended.addEventListener('abort', () => stops.forEach((stop) => void stop()))
  return reports
}
