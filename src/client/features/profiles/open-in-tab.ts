import { profileUrl } from './profile-link.ts'

const MIDDLE_BUTTON = 1

/** Opens the profile of a clicked name in a new tab with Ctrl, Cmd, Shift or the middle button, as browsers do with links. */
export function openProfilesInTabs(page: Document): void {
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
