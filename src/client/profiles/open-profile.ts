import type { Person } from '../../shared/accounts/protocol.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'

/** Opens a user's profile above the page, first with the data that is already known. */
export function openProfile(username: string, known: Person | null = null): void {
  void openOverlay('profile', { username, initialUser: known })
}

/**
 * Opens the profile of the user named by a pressed element's `data-person`: a name, an avatar or a mention. Answers a
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
