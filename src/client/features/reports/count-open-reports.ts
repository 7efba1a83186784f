import { keepFetched } from '../../core/admin/for-root-admins.ts'
import { live } from '../../core/live/state.ts'
import { openReportCount } from '../../model/reports/open-report-count.ts'
import { fetchGroups } from './reports-api.ts'

/** Keeps the number of users with open reports current from now on. */
export function countOpenReports(): void {
  live.on('reportsChanged', ({ totalOpen }) => {
    openReportCount.value = totalOpen
  })
  keepFetched({
    fetch: async () => void (await fetchGroups({ state: 'open', before: null, isBackground: true })),
    reset: () => {
      openReportCount.value = 0
    },
  })
}
