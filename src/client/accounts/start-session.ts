import { HTTP_TIMEOUT_MS } from '../../shared/room-chat/limits.ts'
import { readBoot } from '../boot.ts'
import { browserEnvironment } from '../live/environment.ts'
import { session } from './session.ts'

/** Called once by every page: storage in step with the server, and the plain forms of the page completed. */
export function startSession(): void {
  // A landing page for nobody forgets what the last session left behind, its farewell too.
  showEndMessage(document)
  session.start(readBoot().session)
  fillHiddenFields(document)
  showSignInProgress(document)
}

/** Plain forms work without a script; with one, they also say which browser this is and which room it comes back to. */
function fillHiddenFields(page: Document): void {
  for (const [name, value] of Object.entries(session.formFields())) {
    for (const field of page.querySelectorAll<HTMLInputElement>(`input[type=hidden][name=${name}]`)) {
      // Whoever asked for a room without a session goes on to it: the server has put its path there.
      if (name !== 'next' || field.value === '') field.value = value
    }
  }
  for (const link of page.querySelectorAll<HTMLAnchorElement>('a[data-last-room]')) {
    link.href = `/room/${session.lastRoomId()}`
  }
}

/** Whoever was sent home learns why, in the place that the landing page has for it. */
function showEndMessage(page: Document): void {
  const place = page.querySelector<HTMLElement>('[data-end-message]')
  const message = place && session.takeEndMessage()
  if (!message) return
  place.textContent = message
  place.hidden = false
}

/** While a way in is under way, nothing else can be pressed; a page that comes back by the back button is as before. */
function showSignInProgress(page: Document): void {
  const veil = page.querySelector<HTMLElement>('[data-sign-in-progress]')
  if (!veil) return
  const hide = (): void => {
    veil.hidden = true
  }
  page.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return
    // What was sent, for `sign-up-toast.ts`. Nothing but forms is.
    browserEnvironment.tabStorage.set('form', (event.target as HTMLFormElement).action)
    veil.hidden = false
    setTimeout(hide, HTTP_TIMEOUT_MS)
  })
  window.addEventListener('pageshow', hide)
}
