import { callApi } from '../../core/http/call-api.ts'
import { isFailure } from '../../core/http/is-failure.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { heldTextCount, openAlertCount } from './open-counts.ts'

let isCounting = false

/** Keeps the numbers of open alerts and of waiting texts current from now on. */
export function countOpen(): void {
  if (isCounting) return
  isCounting = true
  live.on('alertsChanged', ({ openCount }) => {
    openAlertCount.value = openCount
  })
  live.on('textFilterChanged', ({ heldCount }) => {
    heldTextCount.value = heldCount
  })
  live.on('resync', () => void fetchCounts())
  session.onAdminToken(() => void fetchCounts())
  live.on('userProfileUpdated', ({ user }) => void (session.isSelf(user.id) && fetchCounts()))
  void fetchCounts()
}

async function fetchCounts(): Promise<void> {
  if (!session.isRootAdmin()) {
    openAlertCount.value = 0
    heldTextCount.value = 0
    return
  }
  const [alerts, heldTexts] = await Promise.all([
    callApi<'alerts'>('/moderation/alerts?state=open', { as: 'admin', isBackground: true }),
    callApi<'heldTexts'>('/moderation/held-texts', { as: 'admin', isBackground: true }),
  ])
  if (!isFailure(alerts)) openAlertCount.value = alerts.openCount
  if (!isFailure(heldTexts)) heldTextCount.value = heldTexts.total
}
