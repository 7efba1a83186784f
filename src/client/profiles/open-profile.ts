import type { Person } from '../../shared/accounts/protocol.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'

/** Opens somebody's profile over whatever is there, with what is known of them already. */
export function openProfile(username: string, known: Person | null = null): void {
  void openOverlay('profile', { username, initialUser: known })
}

/**
 * Whatever names somebody in `data-person` opens their profile when it is pressed: a name or a face in the thread, a
 * mention. The answer stops it.
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
