import { HTTP_TIMEOUT_MS } from '../../../../shared/room-chat/limits.ts'
import { browserEnvironment } from '../../../core/platform/environment.ts'
import { readBoot } from '../../../core/session/boot.ts'
import { session } from '../../../core/session/session.ts'

const STORAGE_KEY = 'fields'

/** What the forms of guests and of the sign-up have in common. */
const FORMS = '#guest-form, form[action="/api/users/register"]'

const FIELDS = ['username', 'gender']

/** Called once by every page: updates storage from the server's session and completes the page's plain forms. */
export function startSession(): void {
  // First: `session.start` clears the end message when the landing page is rendered without a session.
  showEndMessage(document)
  // It too is in storage that `session.start` may clear.
  shareFormFields(document)
  session.start(readBoot().session)
  fillHiddenFields(document)
  showSignInProgress(document)
  revealOpenedForm(document)
  showPagePath(document)
  toastRefusedSignUp(document)
}

/** A failed sign-up is shown in the form and in a toast (specification 2, point 8). */
function toastRefusedSignUp(page: Document): void {
  const error = page.querySelector<HTMLElement>('form[data-refused]')?.dataset.refused
  if (error) void import('../../../core/shell/toasts/toast.ts').then(({ toast }) => toast(error, 'error'))
}

/** A refused form's page has the form's URL, at which a reload would send it again. */
function showPagePath(page: Document): void {
  const canonical = page.querySelector<HTMLLinkElement>('link[rel=canonical]')
  if (canonical && location.pathname.startsWith('/api/'))
    history.replaceState(null, '', new URL(canonical.href).pathname)
}

/** Adds to plain forms what only a script knows: the browser's id and the last room. */
function fillHiddenFields(page: Document): void {
  for (const [name, value] of Object.entries(session.formFields())) {
    for (const field of page.querySelectorAll<HTMLInputElement>(`input[type=hidden][name=${name}]`)) {
      // The server has set `next` when a room was asked for without a session.
      if (name !== 'next' || field.value === '') field.value = value
    }
  }
  for (const link of page.querySelectorAll<HTMLAnchorElement>('a[data-last-room]')) {
    link.href = `/room/${session.lastRoomId()}`
  }
}

/** Shows on the landing page why the last session ended. */
function showEndMessage(page: Document): void {
  const paragraph = page.querySelector<HTMLElement>('[data-end-message]')
  const message = paragraph && session.takeEndMessage()
  if (!message) return
  paragraph.textContent = message
  paragraph.hidden = false
}

/** Covers the page while a form is being sent; `pageshow` uncovers it when the page returns from the back/forward cache. */
function showSignInProgress(page: Document): void {
  const veil = page.querySelector<HTMLElement>('[data-sign-in-progress]')
  if (!veil) return
  const hide = (): void => {
    veil.hidden = true
  }
  page.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return
    // For `toastSignUp` (accounts/feature.ts); the target of a submit event is a form.
    browserEnvironment.tabStorage.set('form', (event.target as HTMLFormElement).action)
    veil.hidden = false
    setTimeout(hide, HTTP_TIMEOUT_MS)
  })
  window.addEventListener('pageshow', hide)
}

/**
 * Opens the folded log-in form in view, above a phone's keyboard, with the focus in it. On the click itself: phones show
 * the keyboard only then.
 */
function revealOpenedForm(page: Document): void {
  const fold = page.querySelector<HTMLDetailsElement>('details.login')
  const summary = fold?.querySelector('summary')
  if (!fold || !summary) return
  const scrollIntoView = (): void => {
    if (fold.contains(page.activeElement)) fold.scrollIntoView({ block: 'start' })
  }
  summary.addEventListener('click', (event) => {
    if (fold.open) return
    event.preventDefault()
    fold.open = true
    fold.querySelector<HTMLInputElement>('.field-input')?.focus({ preventScroll: true })
    scrollIntoView()
  })
  window.visualViewport?.addEventListener('resize', scrollIntoView)
}

/** The typed name and the chosen gender stay when the link between the forms of guests and of the sign-up is clicked. */
function shareFormFields(page: Document): void {
  const form = page.querySelector<HTMLFormElement>(FORMS)
  if (!form) return
  const { tabStorage } = browserEnvironment
  // A text field or a group of radio buttons; the form of a room has no gender.
  const fields = FIELDS.map((name) => form.elements.namedItem(name) as HTMLInputElement | RadioNodeList | null)
  const stored = tabStorage.get(STORAGE_KEY)?.split('\n') ?? []
  tabStorage.set(STORAGE_KEY, null)
  for (const [index, field] of fields.entries()) if (field && stored[index]) field.value = stored[index]
  page.querySelector('.sign-in-other')?.addEventListener('click', () => {
    tabStorage.set(STORAGE_KEY, fields.map((field) => field?.value ?? '').join('\n'))
  })
}
