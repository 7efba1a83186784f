import type { Person } from '../../../shared/accounts/protocol.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import { session } from '../../core/session/session.ts'
import { closeOverlays, openOverlay } from '../../core/shell/overlays/overlays.ts'
import { togglePanel } from '../../core/shell/panels/panel-state.ts'

/**
 * Opens a user's profile, first with the data that is already known. The viewer's own name opens the own panel in its
 * place, or closes it.
 */
export function openProfile(username: string, known: Person | null = null): void {
  if (foldName(username) === foldName(session.username())) {
    closeOverlays()
    togglePanel('profile')
  } else void openOverlay('profile', { username, initialUser: known })
}

/**
 * Opens the profile of the user named by a clicked element's `data-person`: a name, an avatar or a mention. Returns a
 * function that stops it.
 */
export function openProfileOnClick(page: Document): () => void {
  const press = (event: MouseEvent): void => {
    const place = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-person]') : null
    const username = place?.dataset.person
    if (username) openProfile(username)
  }
  page.addEventListener('click', press)
  return () => page.removeEventListener('click', press)
}
