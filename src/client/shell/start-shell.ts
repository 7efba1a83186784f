import { live, missPart } from '../live/state.ts'
import { keepFocus } from '../ui/keep-focus.ts'
import { offerMenu } from './offer-menu.ts'
import { askBeforeUnload } from './unload.ts'

let isStarted = false

/** Listens, once a document, for what the shell around the room answers to; each answer is loaded when it is needed. */
export function startShell(): void {
  if (isStarted) return
  isStarted = true
  askBeforeUnload()
  offerMenu(document)
  window.addEventListener('vite:preloadError', missPart)
  keepFocus(document)
  live.on('popupNotification', (popup) => {
    import('./popups.tsx').then(
      ({ showPopup }) => showPopup(popup),
      (error) => console.error('A popup could not be shown.', error),
    )
  })
}
