import { session } from '../accounts/session.ts'
import { shownRoom } from '../rooms/shown-room.ts'
import { openProfile } from './open-profile.ts'
import { linkedUsername, PROFILE_PARAMETER } from './profile-link.ts'

/** Opens the profile of a shared address, and again when the browser returns to an entry with an open profile. */
export function start(): void {
  const username = linkedUsername()
  if (username !== null && session.userId() !== null) {
    // Back from the profile leads to the page without it.
    if (history.state?.openPart === undefined) history.replaceState(history.state, '', pathWithoutProfile())
    openProfile(username)
  }
  addEventListener('popstate', () => {
    const opened = linkedUsername()
    const isShownPage = location.pathname === `/room/${shownRoom.peek()?.id}`
    if (opened !== null && isShownPage && document.querySelector('[data-profile]') === null) openProfile(opened)
  })
}

function pathWithoutProfile(): string {
  const query = new URLSearchParams(location.search)
  query.delete(PROFILE_PARAMETER)
  return query.size > 0 ? `${location.pathname}?${query}` : location.pathname
}
