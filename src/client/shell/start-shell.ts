import { keepFocus } from '../ui/keep-focus.ts'
import { WIDE } from '../ui/use-media.ts'
import { offerMenu } from './offer-menu.ts'
import { closePanel } from './panel.ts'
import { loadToasts } from './toast.ts'
import { askBeforeUnload } from './unload.ts'

let isStarted = false

/** Listens, once a document, for what the shell around the room answers to; each answer is loaded when it is needed. */
export function startShell(): void {
  if (isStarted) return
  isStarted = true
  askBeforeUnload()
  offerMenu(document)
  loadToasts()
  keepFocus(document)
  document.addEventListener('meydan:navigated', closeSheet)
}

/** On a small screen a panel is a sheet, and sheets close when people move. */
function closeSheet(): void {
  if (!matchMedia(WIDE).matches) closePanel()
}
