import type { LiveClient } from '../../core/live/live-client.ts'
import { loadPart } from '../../core/load-part.ts'

/** Shows popups. They are listened for from the first connection on, because none is sent again; their window loads with the first. */
export function listen(live: LiveClient): void {
  live.on('popupNotification', (popup) => {
    void loadPart(() => import('./popups.tsx')).then(({ showPopup }) => showPopup(popup))
  })
}
