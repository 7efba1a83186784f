import { isLayerEntry, onUserTraversal } from '../../core/navigation/close-on-back.ts'
import { isOwnRoomLink, isPlainPress } from '../../core/navigation/own-room-link.ts'
import { session } from '../../core/session/session.ts'
import { shownRoom } from '../../core/session/shown-room.ts'
import { openProfile } from '../../model/profiles/open-profile.ts'
import { linkedUsername, PROFILE_PARAMETER, profileUrl } from './profile-link.ts'

const MIDDLE_BUTTON = 1

/** Opens the profile of a shared address, and again when the browser returns to an entry with an open profile. */
export function start(): void {
  const username = linkedUsername()
  if (username !== null && session.userId() !== null) {
    // Back from the profile leads to the page without it.
    if (!isLayerEntry()) history.replaceState(history.state, '', pathWithoutProfile())
    openProfile(username)
  }
  document.addEventListener('click', openLinkedProfile, true)
  openProfilesInTabs(document)
  onUserTraversal(() => {
    const opened = linkedUsername()
    const isShownPage = location.pathname === `/room/${shownRoom.peek()?.id}`
    if (opened !== null && isShownPage && document.querySelector('[data-profile]') === null) openProfile(opened)
  })
}

/** Opens the profile that a link in a user's text names over the present room; capturing, before navigate.ts moves to its room. */
function openLinkedProfile(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
  if (!link || !isOwnRoomLink(link) || !isPlainPress(event)) return
  const username = linkedUsername(link.search)
  if (username === null) return
  event.preventDefault()
  openProfile(username)
}

function pathWithoutProfile(): string {
  const query = new URLSearchParams(location.search)
  query.delete(PROFILE_PARAMETER)
  return query.size > 0 ? `${location.pathname}?${query}` : location.pathname
}

/** Opens the profile of a clicked name in a new tab with Ctrl, Cmd, Shift or the middle button, as browsers do with links. */
function openProfilesInTabs(page: Document): void {
  // Before the browser starts to scroll with the middle button.
  page.addEventListener('mousedown', (event) => {
    if (event.button === MIDDLE_BUTTON && pressedUsername(event)) event.preventDefault()
  })
  for (const name of ['click', 'auxclick'] as const) page.addEventListener(name, openInTab, { capture: true })
}

function openInTab(event: MouseEvent): void {
  const isForTab = event.button === MIDDLE_BUTTON || event.ctrlKey || event.metaKey || event.shiftKey
  const username = isForTab ? pressedUsername(event) : undefined
  if (!username) return
  event.preventDefault()
  event.stopPropagation()
  window.open(profileUrl(username), '_blank', 'noopener')
}

/** The user whom a clicked name, avatar, mention or row of a list names. */
function pressedUsername({ target }: MouseEvent): string | undefined {
  const place = target instanceof Element ? target.closest<HTMLElement>('[data-person], .person') : null
  return place?.dataset.person ?? place?.querySelector('.person-username')?.textContent
}
