import { session } from '../accounts/session.ts'
import { live } from '../live/state.ts'
import { openReportCount } from './open-report-count.ts'
import { fetchGroups } from './reports-api.ts'

let isCounting = false

/** Keeps the number of users with open reports current from now on. */
export function countOpenReports(): void {
  if (isCounting) return
  isCounting = true
  const fetchCount = (): void => {
    if (session.isRootAdmin()) void fetchGroups('open', null)
    else openReportCount.value = 0
  }
  live.on('reportsChanged', ({ totalOpen }) => {
    openReportCount.value = totalOpen
  })
  live.on('resync', fetchCount)
  live.on('userProfileUpdated', ({ user }) => session.isSelf(user.id) && fetchCount())
  fetchCount()
}
