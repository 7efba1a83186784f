import { allowUnload } from '../../../core/navigation/unload-guard.ts'
import { session } from '../../../core/session/session.ts'

/**
 * Leaves a page that the back button restores from the back/forward cache when its user has logged out since, in this tab
 * or in another: no events reached the page meanwhile.
 */
export function guardBfcache(): void {
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || session.hasSameUser()) return
    allowUnload()
    location.replace('/')
  })
}
