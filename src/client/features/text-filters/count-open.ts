import { isFailure } from '../../../shared/protocol/result.ts'
import { keepFetched } from '../../core/admin/for-root-admins.ts'
import { callApi } from '../../core/http/call-api.ts'
import { live } from '../../core/live/state.ts'
import { heldTextCount, openAlertCount } from './open-counts.ts'

/** Keeps the numbers of open alerts and of waiting texts current from now on. */
export function countOpen(): void {
  live.on('alertsChanged', ({ openCount }) => {
    openAlertCount.value = openCount
  })
  live.on('textFilterChanged', ({ heldCount }) => {
    heldTextCount.value = heldCount
  })
  keepFetched({
    fetch: fetchCounts,
    reset: () => {
      openAlertCount.value = 0
      heldTextCount.value = 0
    },
  })
}

async function fetchCounts(): Promise<void> {
  const [alerts, heldTexts] = await Promise.all([
    callApi<'alerts'>('/moderation/alerts?state=open', { as: 'admin', isBackground: true }),
    callApi<'heldTexts'>('/moderation/held-texts', { as: 'admin', isBackground: true }),
  ])
  if (!isFailure(alerts)) openAlertCount.value = alerts.openCount
  if (!isFailure(heldTexts)) heldTextCount.value = heldTexts.total
}
