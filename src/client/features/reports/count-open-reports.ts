import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { openReportCount } from '../../model/reports/open-report-count.ts'
import { fetchGroups } from './reports-api.ts'

let isCounting = false

/** Keeps the number of users with open reports current from now on. */
export function countOpenReports(): void {
  if (isCounting) return
  isCounting = true
  const fetchCount = async (): Promise<void> => {
    if (!session.isRootAdmin()) {
      openReportCount.value = 0
      return
    }
    await fetchGroups({ state: 'open', before: null, isBackground: true })
  }
  live.on('reportsChanged', ({ totalOpen }) => {
    openReportCount.value = totalOpen
  })
  live.on('resync', () => void fetchCount())
  session.onAdminToken(() => void fetchCount())
  live.on('userProfileUpdated', ({ user }) => {
    if (session.isSelf(user.id)) void fetchCount()
  })
  void fetchCount()
}
