import { isFailure } from '../../../shared/protocol/result.ts'
import type { Alert } from '../../../shared/text-filters/alerts-protocol.ts'
import { alertTexts } from '../../../shared/text-filters/screen-texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { live } from '../../core/live/state.ts'
import { LiveList } from '../../core/signals/live-list.ts'
import { openAlertCount } from './open-counts.ts'

export type AlertState = 'open' | 'handled'

export const alertLists = { open: createList('open'), handled: createList('handled') }

live.on('alertsChanged', refreshAll)
live.on('resync', () => {
  void alertLists.open.reload()
  void alertLists.handled.reload()
})

/** Marks an alert as handled or opens it again; a failure is shown in a toast. Returns whether it succeeded. */
export async function setAlertHandled(id: Alert['id'], isHandled: boolean): Promise<boolean> {
  const answer = await callApi<'handleAlert'>('/moderation/alerts/handle', { as: 'admin', body: { id, isHandled } })
  if (toastIfFailed(answer, alertTexts.notChanged)) return false
  openAlertCount.value = answer.openCount
  alertLists[isHandled ? 'open' : 'handled'].remove((alert) => alert.id === id)
  return true
}

function createList(state: AlertState): LiveList<Alert, number> {
  return new LiveList<Alert, number>({
    failureText: () => alertTexts.notLoaded,
    fetchPage: async (before) => {
      const query = new URLSearchParams({ state, ...(before !== null && { before: String(before) }) })
      const answer = await callApi<'alerts'>(`/moderation/alerts?${query}`, { as: 'admin' })
      if (isFailure(answer)) return answer
      openAlertCount.value = answer.openCount
      return { items: answer.alerts, next: answer.next }
    },
  })
}

function refreshAll(): void {
  void alertLists.open.refresh()
  void alertLists.handled.refresh()
}
